/*
 * Starts the real `assay lsp` through the library of the editor's client: a file with a bug is opened, its finding arrives, the fix
 * is applied, and silence follows. ASSAY: the program.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";

import { StreamMessageReader, StreamMessageWriter, createProtocolConnection } from "vscode-languageserver-protocol/node.js";
import * as protocol from "vscode-languageserver-protocol/node.js";
import { TextDocument } from "vscode-languageserver-textdocument";

import { findProgram } from "../dist/program.js";

const uri = "file:///tmp/assay%20case/train.py";
const text = "import torch\nfrom torch.autograd import Variable\n\nx = Variable(torch.zeros(3))\n";

function connect() {
    const program = findProgram(process.env.ASSAY ?? "assay", undefined, process.env.PATH ?? "");
    assert.ok("file" in program, program.problem);
    const server = spawn(program.file, ["lsp", "--isolated"], { stdio: ["pipe", "pipe", "inherit"] });
    const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
    connection.listen();
    return { server, connection };
}

/* The diagnostics of the next version that is published. */
function nextDiagnostics(connection) {
    return new Promise((done) => {
        const wait = connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => {
            wait.dispose();
            done(params.diagnostics);
        });
    });
}

test("a bug is shown, fixed and gone", { timeout: 60000 }, async () => {
    const { server, connection } = connect();
    const ended = once(server, "exit");
    const capabilities = { general: { positionEncodings: ["utf-16"] }, workspace: { workspaceEdit: { documentChanges: true } } };
    const answer = await connection.sendRequest(protocol.InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities });
    assert.equal(answer.serverInfo.name, "assay");
    assert.equal(answer.capabilities.hoverProvider, true);
    await connection.sendNotification(protocol.InitializedNotification.type, {});

    let shown = nextDiagnostics(connection);
    const document = TextDocument.create(uri, "python", 1, text);
    await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
        textDocument: { uri, languageId: "python", version: 1, text },
    });
    const found = await shown;
    assert.deepEqual(
        found.map((d) => [d.code, d.source, d.range.start]),
        [["SB091", "assay", { line: 3, character: 4 }]],
    );

    const actions = await connection.sendRequest(protocol.CodeActionRequest.type, {
        textDocument: { uri },
        range: found[0].range,
        context: { diagnostics: found, only: [protocol.CodeActionKind.QuickFix] },
    });
    const [change] = actions[0].edit.documentChanges;
    assert.equal(change.textDocument.uri, uri);
    const mended = TextDocument.applyEdits(document, change.edits);
    assert.match(mended, /^x = torch\.zeros\(3\)$/m);

    shown = nextDiagnostics(connection);
    await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
        textDocument: { uri, version: 2 },
        contentChanges: [{ text: mended }],
    });
    assert.deepEqual(await shown, []);

    await connection.sendRequest(protocol.ShutdownRequest.type);
    await connection.sendNotification(protocol.ExitNotification.type);
    assert.deepEqual(await ended, [0, null]);
});

/*
 * The extension: starts `assay lsp` for Python files and notebooks, and starts it anew when its settings change. All that is said
 * about a program comes from the server. One server runs at a time; starts and stops follow each other in the order of their causes.
 */
import * as vscode from "vscode";
import { LanguageClient, State, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

import { findProgram } from "./program";

const STARTS_ANEW = ["assay.enable", "assay.path", "assay.arguments"];

let client: LanguageClient | undefined;
let queue: Promise<void> = Promise.resolve();

interface Shown {
    output: vscode.OutputChannel;
    status: vscode.LanguageStatusItem;
}

function say(shown: Shown, text: string, severity = vscode.LanguageStatusSeverity.Information): void {
    shown.status.text = text;
    shown.status.severity = severity;
    shown.output.appendLine(text);
}

/* The message comes once for each cause; the status keeps it. */
async function tellProblem(shown: Shown, problem: string): Promise<void> {
    say(shown, problem, vscode.LanguageStatusSeverity.Error);
    const settings = "Open Settings";
    const output = "Show Output";
    const chosen = await vscode.window.showErrorMessage(`assay: ${problem}`, settings, output);
    if (chosen === settings) await vscode.commands.executeCommand("workbench.action.openSettings", "assay.path");
    if (chosen === output) shown.output.show();
}

function clientFor(shown: Shown, file: string, args: string[], folder: string | undefined): LanguageClient {
    const server: ServerOptions = { command: file, args: ["lsp", ...args], options: { cwd: folder } };
    const options: LanguageClientOptions = {
        documentSelector: [
            { language: "python", scheme: "file" },
            { language: "python", scheme: "untitled" },
            { language: "python", scheme: "vscode-notebook-cell" },
        ],
        outputChannel: shown.output,
        traceOutputChannel: shown.output,
    };
    const made = new LanguageClient("assay", "assay", server, options);
    made.onDidChangeState(({ newState }) => {
        if (newState === State.Running) say(shown, "assay is running");
        if (newState === State.Stopped) say(shown, "assay has stopped", vscode.LanguageStatusSeverity.Warning);
    });
    return made;
}

async function stop(): Promise<void> {
    const old = client;
    client = undefined;
    await old?.dispose();
}

async function start(shown: Shown): Promise<void> {
    await stop();
    const settings = vscode.workspace.getConfiguration("assay");
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    if (!settings.get<boolean>("enable", true)) {
        say(shown, "assay is switched off (assay.enable)");
        return;
    }
    const program = findProgram(settings.get<string>("path", "assay"), folder, process.env.PATH ?? "");
    if ("problem" in program) {
        void tellProblem(shown, program.problem);
        return;
    }
    const args = settings.get<string[]>("arguments", []);
    say(shown, `starting ${[program.file, "lsp", ...args].join(" ")}`);
    client = clientFor(shown, program.file, args, folder);
    try {
        await client.start();
    } catch (error) {
        void tellProblem(shown, `${program.file} lsp did not start: ${error instanceof Error ? error.message : error}`);
        client = undefined;
    }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    const output = vscode.window.createOutputChannel("assay");
    const status = vscode.languages.createLanguageStatusItem("assay", { language: "python" });
    const shown = { output, status };
    const restart = (): Promise<void> => (queue = queue.then(() => start(shown)));
    status.name = "assay";
    status.command = { title: "Show Output", command: "assay.showOutput" };
    context.subscriptions.push(
        output,
        status,
        vscode.commands.registerCommand("assay.restart", restart),
        vscode.commands.registerCommand("assay.showOutput", () => output.show()),
        vscode.workspace.onDidGrantWorkspaceTrust(restart),
        vscode.workspace.onDidChangeConfiguration((change) => {
            if (STARTS_ANEW.some((name) => change.affectsConfiguration(name))) void restart();
        }),
    );
    await restart();
}

export async function deactivate(): Promise<void> {
    await (queue = queue.then(stop));
}

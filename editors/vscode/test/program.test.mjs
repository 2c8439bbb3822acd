/* What the setting assay.path leads to, and what the user reads when it leads nowhere. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { findProgram } from "../dist/program.js";

const folder = mkdtempSync(join(tmpdir(), "assay-vscode-"));
const program = join(folder, "bin", "assay");
mkdirSync(join(folder, "bin"));
mkdirSync(join(folder, "other"));
writeFileSync(program, "#!/bin/sh\n");
chmodSync(program, 0o755);
writeFileSync(join(folder, "other", "assay"), "not a program");
const paths = `relative:${folder}/other:${folder}/bin`;

const found = [
    ["assay", undefined, paths],
    [" ", undefined, paths],
    [program, undefined, ""],
    ["bin/assay", folder, ""],
    ["${workspaceFolder}/bin/assay", folder, ""],
];
const missing = [
    ["assay", folder, `${folder}/other`, /"assay" was not found in PATH\. Install assay, or set assay\.path/],
    ["assay-2", folder, paths, /"assay-2" was not found in PATH/],
    ["other/assay", folder, "", /other\/assay is no program that can be run/],
    [folder, undefined, "", /is no program/],
    ["~/no-such-program", undefined, "", new RegExp(`${homedir()}/no-such-program is no program`)],
    ["${workspaceFolder}/bin/assay", undefined, "", /no folder is open/],
];

test("a program is found", () => {
    for (const [path, root, searchPath] of found) assert.deepEqual(findProgram(path, root, searchPath), { file: program }, path);
});

test("the message says what is wrong with the setting", () => {
    for (const [path, root, searchPath, text] of missing) assert.match(findProgram(path, root, searchPath).problem, text);
});

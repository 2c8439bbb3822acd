/*
 * Where the program assay is, from the setting. Knows nothing of the editor, so that it is tested without one.
 */
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/* What the setting `assay.path` stands for: the file to start, or what to tell the user. */
export type Program = { file: string } | { problem: string };

function isProgram(file: string): boolean {
    try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
    } catch {
        return false;
    }
}

/* path: the setting; folder: of the workspace, if there is one; searchPath: the variable PATH. */
export function findProgram(path: string, folder: string | undefined, searchPath: string): Program {
    let written = path.trim() || "assay";
    if (written.includes("${workspaceFolder}")) {
        if (!folder) return { problem: `assay.path is "${path}", but no folder is open.` };
        written = written.replaceAll("${workspaceFolder}", folder);
    }
    if (written === "~" || written.startsWith("~/")) written = join(homedir(), written.slice(1));
    if (written.includes("/") || written.includes("\\")) {
        const file = isAbsolute(written) ? written : resolve(folder ?? ".", written);
        return isProgram(file) ? { file } : { problem: `assay.path is "${path}", but ${file} is no program that can be run.` };
    }
    const names = process.platform === "win32" ? [`${written}.exe`] : [written];
    for (const dir of searchPath.split(delimiter))
        for (const name of names)
            if (isAbsolute(dir) && isProgram(join(dir, name))) return { file: join(dir, name) };
    return { problem: `The program "${written}" was not found in PATH. Install assay, or set assay.path to where it is.` };
}

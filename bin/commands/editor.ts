/** `fw editor`: installs the extension for templates in Visual Studio Code or an editor based on it. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io } from "../cli/terminal.ts"
import type * as specs from "../specs/editor.ts"
import { extensionFile } from "../system/package.ts"
import { createScriptOptions } from "../tools/npm.ts"
import { runProgram } from "../tools/program.ts"

/** The installed extension. */
export interface EditorData {
  readonly editor: string
  readonly extension: string
  /** True if a setting of the project assigns templates to another language. */
  readonly associated: boolean
}

/**
 * Installs the extension.
 *
 * @throws FwError `program_missing` or `program_failed`.
 */
export async function run({ editor }: OptionsOf<typeof specs.editor>, io: Io): Promise<EditorData> {
  const args = ["--install-extension", extensionFile, "--force"]
  const manualFix = `In the editor, run the command "Extensions: Install from VSIX…" and choose ${extensionFile}`
  await runProgram({ ...createScriptOptions(editor, args, io), missing: manualFix, failed: manualFix })
  const settings = await readFile(join(io.cwd, ".vscode/settings.json"), "utf8").catch(() => "")
  return { editor, extension: extensionFile, associated: /"\*\.tpl"\s*:\s*"html"/.test(settings) }
}

/** Returns a line about the extension, and one about a setting that keeps it from working. */
export function print({ associated }: EditorData): string {
  const setting = 'Remove "*.tpl": "html" from .vscode/settings.json: it keeps the extension from templates.\n'
  return `The extension for templates is installed. Open a .tpl file.\n${associated ? setting : ""}`
}

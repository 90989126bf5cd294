/** Formats the `.tpl` files of a project. */

import { readFile, stat } from "node:fs/promises"
import { join, relative, resolve, sep } from "node:path"
import { fileFault } from "../messages/files.ts"
import { projectFault } from "../messages/project.ts"
import { findTemplates } from "../project/templates.ts"
import { staysInside } from "../system/path-containment.ts"
import { writeIfChanged } from "../system/whole-file.ts"
import { type FormattedFile, formatFiles } from "./format-files.ts"
import { findFormatter } from "./script-formatter.ts"

/**
 * Returns the `.tpl` files for some names, which may be files or directories.
 *
 * @param names relative to the project. Without names, all files of the project are returned.
 * @throws FwError `format_file` for a name that is neither, `outside` for one outside the project.
 */
export async function findFilesToFormat(root: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return (await findTemplates(root)).sources
  const found: string[] = []
  for (const name of names) {
    if (!(await staysInside(name, root))) throw fileFault("outside.argument", ["the file", name])
    const path = relative(root, resolve(root, name)).split(sep).join("/")
    const stats = await stat(join(root, path)).catch(() => null)
    if (stats?.isDirectory()) found.push(...(await findTemplates(root, path)).sources)
    else if (stats?.isFile() && path.endsWith(".tpl")) found.push(path)
    else throw projectFault(stats ? "format_file.kind" : "format_file.missing", [name])
  }
  return [...new Set(found)].sort()
}

/** Formats files. If `write` is true, writes the files that change. Files with errors are not changed. */
export async function formatProject(
  root: string,
  files: readonly string[],
  { write: shouldWrite, signal }: { readonly write: boolean; readonly signal: AbortSignal },
): Promise<FormattedFile[]> {
  const inputs = await Promise.all(files.map(async (file) => ({ file, bytes: await readFile(join(root, file)) })))
  const formatter = await findFormatter(root)
  const results = await formatFiles(inputs, { root, formatter, signal })
  for (const { file, before, text } of results) {
    signal.throwIfAborted()
    if (shouldWrite && text !== before) await writeIfChanged({ root, path: file }, text)
  }
  return results
}

/**
 * Formats the texts of files, which need not exist, and returns them by file. A text with errors is not changed.
 */
export async function formatTexts(
  root: string,
  files: readonly { readonly file: string; readonly text: string }[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const formatter = await findFormatter(root)
  const inputs = files.map(({ file, text }) => ({ file, bytes: Buffer.from(text) }))
  const results = await formatFiles(inputs, { root, formatter, signal })
  return new Map(results.map(({ file, text }) => [file, text]))
}

/** Formats the text of a file, which need not exist. */
export async function formatText(
  root: string,
  file: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<FormattedFile> {
  if (!file.endsWith(".tpl")) throw projectFault("format_file.kind", [file])
  const formatter = await findFormatter(root)
  const [result] = await formatFiles([{ file, bytes }], { root, formatter, signal })
  if (!result) throw new Error("one file has one result")
  return result
}

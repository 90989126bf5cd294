/** `fw format`: writes `.tpl` files in their canonical form. */

import type { OptionsOf } from "../cli/spec.ts"
import type { Io, View } from "../cli/terminal.ts"
import { findFilesToFormat, formatProject, formatText } from "../format/format-project.ts"
import { templateError } from "../project/template-problems.ts"
import type * as specs from "../specs/project.ts"

/** The files that were formatted, relative to the project. */
export interface FormatData {
  /** Files that were written, or with `--check` would be. */
  readonly changed: readonly string[]
  /** Number of files that were in their canonical form before. */
  readonly unchanged: number
  /** True if files were only checked. */
  readonly check: boolean
  /** The formatted text, if standard input was formatted. */
  readonly text?: string
}

/**
 * Formats files of the project, or standard input.
 *
 * @throws FwError `format_file` and `outside` for names that are not files of the project; `templates` with the
 * errors of all files. Files with errors are not changed; the others are formatted first.
 */
export async function run(
  { files, check, stdin: name }: OptionsOf<typeof specs.format>,
  { cwd, signal, stdin }: Pick<Io, "cwd" | "signal" | "stdin">,
): Promise<FormatData> {
  const results =
    name === undefined
      ? await formatProject(cwd, await findFilesToFormat(cwd, files), { write: !check, signal })
      : [await formatText(cwd, name, await readAll(stdin), signal)]
  const diagnostics = results.flatMap((result) => result.diagnostics)
  if (diagnostics.length > 0) throw templateError(diagnostics)
  const changed = results.filter(({ before, text }) => before !== text).map(({ file }) => file)
  const [first] = results
  return {
    changed,
    unchanged: results.length - changed.length,
    check,
    ...(name !== undefined && !check && first ? { text: first.text } : {}),
  }
}

async function readAll(stream: NodeJS.ReadableStream): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** Returns 1 if `--check` found a file that is not formatted. */
export function exitCode({ check, changed }: FormatData): number {
  return check && changed.length > 0 ? 1 : 0
}

/** Returns the formatted text, or the list of files. */
export function print({ changed, unchanged, check, text }: FormatData, { style }: Pick<View, "style">): string {
  if (text !== undefined) return text
  const word = check ? style.yellow("not formatted") : `${style.green("formatted")}    `
  const lines = changed.map((file) => `  ${word}  ${file}\n`)
  if (unchanged > 0) lines.push(style.dim(`  unchanged      ${unchanged} ${unchanged === 1 ? "file" : "files"}\n`))
  return lines.join("")
}

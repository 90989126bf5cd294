/** `fw css build`: compiles the project's styles, minified. */

import type { OptionsOf } from "../cli/spec.ts"
import type { Io } from "../cli/terminal.ts"
import { ensureCSS } from "../css/binary.ts"
import { compileCSS, compileToText, prepareCSS, standardOutput } from "../css/compile.ts"
import { findStyles } from "../project/static-dir.ts"
import type * as specs from "../specs/css.ts"

/** The result of `fw css build`. */
export interface CSSBuildData {
  readonly input: string
  /** Path of the output; `-` for standard output. */
  readonly output: string
  /** Size of the output, in bytes. */
  readonly size: number
  /** The styles, if the output is standard output. */
  readonly text?: string
}

const outputFix = "Name another file with --output, or print the styles with --output -."

/**
 * Compiles the styles, after installing the compiler if it is missing.
 *
 * @throws FwError if either fails.
 */
export async function run(
  { input, output: requestedOutput }: OptionsOf<typeof specs.build>,
  io: Io,
): Promise<CSSBuildData> {
  const output = requestedOutput ?? findStyles(io.cwd).output
  const job = { cwd: io.cwd, input, output, fix: outputFix }
  if (output === standardOutput) {
    const { path } = await ensureCSS(io)
    const text = await compileToText(path, job, io)
    return { input, output, size: Buffer.byteLength(text), text }
  }
  // Checked before the download, so that a wrong path is reported at once.
  await prepareCSS(job)
  const { path } = await ensureCSS(io)
  return { input, output, size: await compileCSS(path, job, io) }
}

/** Returns the styles for standard output, or a line about the file. */
export function print({ output, size, text }: CSSBuildData): string {
  return text ?? `${output}  ${(size / 1000).toFixed(1)} kB\n`
}

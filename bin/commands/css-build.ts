/** `fw css build`: compiles the project's styles, minified. */

import type { OptionsOf } from "../cli/spec.ts"
import type { Io } from "../cli/terminal.ts"
import { ensureCss } from "../css/binary.ts"
import { compileCss, compiledCss, prepareCss, standardOutput } from "../css/compile.ts"
import type * as specs from "../specs/css.ts"

/** Result of a build. */
export interface CssBuildData {
  readonly input: string
  /** Path of the file; `-` for standard output. */
  readonly output: string
  /** Size of the output, in bytes. */
  readonly size: number
  /** The styles, when they go to standard output. */
  readonly text?: string
}

/** Compiles the styles, and installs the compiler first if it is missing. @throws FwError if either fails. */
export async function run({ input, output }: OptionsOf<typeof specs.build>, io: Io): Promise<CssBuildData> {
  const job = { cwd: io.cwd, input, output }
  if (output === standardOutput) {
    const { path } = await ensureCss(io)
    const text = await compiledCss(path, job, io)
    return { input, output, size: Buffer.byteLength(text), text }
  }
  // Before the download, so that a wrong path is reported without waiting for it.
  await prepareCss(job)
  const { path } = await ensureCss(io)
  return { input, output, size: await compileCss(path, job, io) }
}

/** Returns the styles for standard output; otherwise one line about the file. */
export function print({ output, size, text }: CssBuildData): string {
  return text ?? `${output}  ${(size / 1000).toFixed(1)} kB\n`
}

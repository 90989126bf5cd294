/** `fw css build`: the project's styles, minified. Loaded by the table; `fw build` does the same. */
import { ensureCss } from "../project/css-binary.ts"
import { compileCss, compiledCss, prepareCss, standardOutput } from "../project/css-compile.ts"
import type { OptionsOf } from "../spec.ts"
import type * as specs from "../specs/css.ts"
import type { Io } from "../terminal.ts"

/** What was built. */
export interface CssBuildData {
  readonly input: string
  /** The file; `-` for standard output. */
  readonly output: string
  /** Bytes of the output. */
  readonly size: number
  /** The styles, where they go to standard output. */
  readonly text?: string
}

/** Compiles the styles; installs the compiler first where it is not there. @throws FwError for what is wrong with either. */
export async function run({ input, output }: OptionsOf<typeof specs.build>, io: Io): Promise<CssBuildData> {
  const job = { cwd: io.cwd, input, output }
  if (output === standardOutput) {
    const { path } = await ensureCss(io)
    const text = await compiledCss(path, job, io)
    return { input, output, size: Buffer.byteLength(text), text }
  }
  // Before the download: nobody waits for that to learn of a slip.
  await prepareCss(job)
  const { path } = await ensureCss(io)
  return { input, output, size: await compileCss(path, job, io) }
}

/** The styles where they were asked for, else one line. */
export function print({ output, size, text }: CssBuildData): string {
  return text ?? `${output}  ${(size / 1000).toFixed(1)} kB\n`
}

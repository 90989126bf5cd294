/** `fw css build`: the project's styles, minified. Loaded by the table; `fw build` does the same. */
import { ensureCss } from "../project/css-binary.ts"
import { compileCss, prepareCss } from "../project/css-compile.ts"
import type { OptionsOf } from "../spec.ts"
import type * as specs from "../specs/css.ts"
import type { Io } from "../terminal.ts"

/** What was built. */
export interface CssBuildData {
  readonly input: string
  readonly output: string
  /** Bytes of the output. */
  readonly size: number
}

/** Compiles the styles; installs the compiler first where it is not there. @throws FwError for what is wrong with either. */
export async function run({ input, output }: OptionsOf<typeof specs.build>, io: Io): Promise<CssBuildData> {
  const job = { cwd: io.cwd, input, output }
  // Before the download: nobody waits for that to learn of a slip.
  await prepareCss(job)
  const { path } = await ensureCss(io)
  return { input, output, size: await compileCss(path, job, io) }
}

/** One line. */
export function print({ output, size }: CssBuildData): string {
  return `${output}  ${(size / 1000).toFixed(1)} kB\n`
}

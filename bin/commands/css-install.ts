/** `fw css install`: the standalone CSS compiler, downloaded and checked. Loaded by the table. */
import { ensureCss, findCss, versionOf } from "../project/css-binary.ts"
import type { Io } from "../terminal.ts"

/** What is installed now. */
export interface CssInstallData {
  /** What the compiler says it is; null where it says nothing. */
  readonly version: string | null
  readonly binary: string
  /** Whether it was there before. */
  readonly present: boolean
}

/** Installs the compiler unless it is there. @throws FwError; nothing half-made stays behind. */
export async function run(_: unknown, io: Io): Promise<CssInstallData> {
  const { installed } = await findCss(io)
  const { path } = await ensureCss(io)
  return { version: await versionOf(path, io), binary: path, present: installed }
}

/** One line. */
export function print({ version, binary, present }: CssInstallData): string {
  const name = `The CSS compiler${version ? ` v${version}` : ""}`
  return `${name} is ${present ? "there already" : "installed"}: ${binary}\n`
}

/** `fw css install`: downloads the standalone CSS compiler and checks it. */

import type { Io } from "../cli/terminal.ts"
import { ensureCSS, findCSS, readCSSVersion } from "../css/binary.ts"

/** The installed compiler. */
export interface CSSInstallData {
  /** The version that the compiler reports; null if it reports none. */
  readonly version: string | null
  readonly binary: string
  /** True if it was installed before. */
  readonly present: boolean
}

/**
 * Installs the compiler if it is missing.
 *
 * @throws FwError if that fails. No partial file is left then.
 */
export async function run(_: unknown, io: Io): Promise<CSSInstallData> {
  const { installed } = await findCSS(io)
  const { path } = await ensureCSS(io)
  return { version: await readCSSVersion(path, io), binary: path, present: installed }
}

export function print({ version, binary, present }: CSSInstallData): string {
  const name = `The CSS compiler${version ? ` v${version}` : ""}`
  return `${name} is ${present ? "already installed" : "installed"}: ${binary}\n`
}

/** `fw css info`: shows the CSS compiler in use and the styles that it compiles. */
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { formatTable } from "../cli/layout.ts"
import type { Io, View } from "../cli/terminal.ts"
import { findCSS, readCSSVersion } from "../css/binary.ts"
import { findStyles } from "../project/static-dir.ts"

/** The CSS compiler and the styles of a project. */
export interface CSSInfoData {
  /** The version that the compiler reports; null if it is not installed or reports none. */
  readonly version: string | null
  readonly binary: string
  readonly installed: boolean
  readonly cacheDir: string
  readonly input: { readonly file: string; readonly exists: boolean }
  readonly output: { readonly file: string; readonly exists: boolean }
}

/** Reads the state of the compiler and the styles. Changes nothing. */
export async function run(_: unknown, io: Io): Promise<CSSInfoData> {
  const { path, cacheDir, installed } = await findCSS(io)
  const styles = findStyles(io.cwd)
  const checkFile = async (file: string) => ({ file, exists: await isFile(resolve(io.cwd, file)) })
  return {
    version: installed ? await readCSSVersion(path, io) : null,
    binary: path,
    installed,
    cacheDir,
    input: await checkFile(styles.input),
    output: await checkFile(styles.output),
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

/** Returns a line for each fact. */
export function print(info: CSSInfoData, { width }: Pick<View, "width">): string {
  const { version, binary, installed, cacheDir, input, output } = info
  const formatFile = ({ file, exists }: CSSInfoData["input"]) => `${file}${exists ? "" : " (missing)"}`
  const rows = [
    [
      "Version",
      installed ? (version ?? "unknown: the compiler does not report it") : "not installed: run fw css install",
    ],
    ["Binary", binary],
    ["Cache", cacheDir],
    ["Input", formatFile(input)],
    ["Output", formatFile(output)],
  ]
  return formatTable(rows, undefined, width)
}

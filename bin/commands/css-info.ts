/** `fw css info`: which CSS compiler is used, and what it would compile. Loaded by the table. */
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { table } from "../layout.ts"
import { findCss, versionOf } from "../project/css-binary.ts"
import { cssDefaults } from "../project/css-compile.ts"
import type { Io, View } from "../terminal.ts"

/** The state of a project's styles and of the compiler. */
export interface CssInfoData {
  /** What the installed compiler says it is; null where none is installed, or it says nothing. */
  readonly version: string | null
  readonly binary: string
  readonly installed: boolean
  readonly cacheDir: string
  readonly input: { readonly file: string; readonly exists: boolean }
  readonly output: { readonly file: string; readonly exists: boolean }
}

/** Looks, and changes nothing. */
export async function run(_: unknown, io: Io): Promise<CssInfoData> {
  const { path, cacheDir, installed } = await findCss(io)
  const state = async (file: string) => ({ file, exists: await exists(resolve(io.cwd, file)) })
  return {
    version: installed ? await versionOf(path, io) : null,
    binary: path,
    installed,
    cacheDir,
    input: await state(cssDefaults.input),
    output: await state(cssDefaults.output),
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

/** A line for each. */
export function print(info: CssInfoData, { width }: Pick<View, "width">): string {
  const { version, binary, installed, cacheDir, input, output } = info
  const there = ({ file, exists: is }: CssInfoData["input"]) => `${file}${is ? "" : " (not there)"}`
  const rows = [
    ["Version", installed ? (version ?? "unknown: it does not tell") : "not installed: run fw css install"],
    ["Binary", binary],
    ["Cache", cacheDir],
    ["Input", there(input)],
    ["Output", there(output)],
  ]
  return table(rows, undefined, width)
}

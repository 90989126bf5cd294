/** `fw generate client`: writes a typed client of the API. */
import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { Progress } from "../cli/progress.ts"
import type { OptionsOf } from "../cli/spec.ts"
import { createView, type Io, type View } from "../cli/terminal.ts"
import { clientMark, renderClient } from "../generate/client/source.ts"
import { readSourceTemplate } from "../generate/write-source.ts"
import { fileFault } from "../messages/files.ts"
import type { Warning } from "../openapi/document/model.ts"
import { formatDocumentWarning } from "../openapi/document-warning.ts"
import { checkServer, makeProjectDocument } from "../openapi/openapi.ts"
import type * as specs from "../specs/generate.ts"
import { writeIfChanged } from "../system/whole-file.ts"
import { checkWritable, formatPlace, resolveFilePath, type WritePlace } from "../system/write-place.ts"

/** Result of the command. */
export interface GenerateClientData {
  /** Path of the file: relative if it is in the project, otherwise absolute; `-` for standard output. */
  readonly file: string
  /** `stale` occurs only with `--check`: the file is missing or differs from the generated client. */
  readonly state: "written" | "unchanged" | "stale"
  readonly operations: number
  /** Parts of the API without types, each with its position. */
  readonly warnings: readonly Warning[]
  /** The client, if it goes to standard output. */
  readonly text?: string
}

const outputFix = "Name another file with --output."

/**
 * Generates and writes the client.
 *
 * @throws FwError as `fw openapi generate` does, and `exists` for a file that fw did not write.
 */
export async function run(
  { output, check, force, appDir, server }: OptionsOf<typeof specs.client>,
  { cwd, signal, stderr, env }: Pick<Io, "cwd" | "signal" | "stderr" | "env">,
): Promise<GenerateClientData> {
  checkServer(server)
  const isPrinted = output === "-"
  const target = { root: cwd, path: resolve(cwd, output), fix: outputFix }
  const current = isPrinted ? "" : await readCurrentClient(target)
  const file = isPrinted ? output : formatPlace(target)
  if (!force && !check && current.trim() !== "" && !current.startsWith(clientMark))
    throw fileFault("exists.openapi", [file], { at: { file } })
  const progress = new Progress({ stdout: stderr, env })
  const work = () => makeProjectDocument(cwd, { appDir, server, signal })
  const { document, warnings } = await progress.runStep("Reading the routes and their types", work, () => null)
  const { text, operations } = renderClient(document, await readSourceTemplate("client/client.ts"))
  signal.throwIfAborted()
  const result = { file, operations, warnings }
  // Git may have changed the line endings at checkout.
  if (check) return { ...result, state: current.replaceAll("\r\n", "\n") === text ? "unchanged" : "stale" }
  if (isPrinted) {
    stderr.write(formatWarnings(warnings, createView(stderr, env)))
    return { ...result, state: "written", text }
  }
  return { ...result, state: (await writeIfChanged(target, text)) ? "written" : "unchanged" }
}

/**
 * Checks that the file can be written. Called first, so that no work is lost.
 *
 * @returns the current text, `""` if the file does not exist.
 */
async function readCurrentClient(target: WritePlace): Promise<string> {
  const path = await resolveFilePath(target)
  await checkWritable({ ...target, path })
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return ""
    throw error
  })
}

function formatWarnings(warnings: readonly Warning[], { style }: Pick<View, "style">): string {
  return warnings.map((warning) => formatDocumentWarning(warning, style)).join("")
}

export function print(result: GenerateClientData, { style }: Pick<View, "style">): string {
  const { file, state, operations, warnings, text } = result
  if (text !== undefined) return text
  const color = { written: style.green, unchanged: style.dim, stale: style.red }[state]
  const count = style.dim(`${operations} ${operations === 1 ? "operation" : "operations"}`)
  const fix = state === "stale" ? "Run fw generate client, and commit the file.\n" : ""
  return `${formatWarnings(warnings, { style })}${color(state)}  ${file}  ${count}\n${fix}`
}

/** Returns 1 if `--check` found a difference. */
export function exitCode({ state }: GenerateClientData): number {
  return state === "stale" ? 1 : 0
}

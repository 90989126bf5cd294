/** `fw openapi generate`: writes the OpenAPI document of the routes to a file. */
import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { Progress } from "../cli/progress.ts"
import type { OptionsOf } from "../cli/spec.ts"
import { createView, type Io, type View } from "../cli/terminal.ts"
import { fileFault } from "../messages/files.ts"
import type { Warning } from "../openapi/document/model.ts"
import { formatDocumentWarning } from "../openapi/document-warning.ts"
import { checkServer, formatDocument, makeProjectDocument } from "../openapi/openapi.ts"
import type * as specs from "../specs/openapi.ts"
import { writeIfChanged } from "../system/whole-file.ts"
import { checkWritable, formatPlace, resolveFilePath, type WritePlace } from "../system/write-place.ts"

/** The result of `fw openapi generate`. */
export interface OpenAPIGenerateData {
  /** Path of the file: relative if it is in the project, otherwise absolute; `-` for standard output. */
  readonly file: string
  readonly format: "json" | "yaml"
  /** The version of OpenAPI. */
  readonly openapi: string
  readonly operations: number
  readonly paths: number
  readonly schemas: number
  /** True if the document contains types. Without TypeScript in the project, it has only routes and comments. */
  readonly typed: boolean
  /** Parts of the API that could not be described, each with its position. */
  readonly warnings: readonly Warning[]
  /** The document, if it goes to standard output. */
  readonly text?: string
}

/**
 * Generates and writes the document.
 *
 * @throws FwError as `fw routes` does, and `exists` for a file that fw did not write.
 */
export async function run(
  { output: requestedOutput, format, force, ...options }: OptionsOf<typeof specs.generate>,
  { cwd, signal, stderr, env }: Pick<Io, "cwd" | "signal" | "stderr" | "env">,
): Promise<OpenAPIGenerateData> {
  const output = requestedOutput ?? `openapi.${format}`
  const isPrinted = output === "-"
  const target = { root: cwd, path: resolve(cwd, output), fix: outputFix }
  checkServer(options.server)
  if (!isPrinted) await checkOutputFile(target, force)
  const progress = new Progress({ stdout: stderr, env })
  const work = () => makeProjectDocument(cwd, { ...options, signal })
  const result = await progress.runStep("Reading the routes and their types", work, () => null)
  const text = await formatDocument(result.document, format)
  if (!isPrinted) await writeIfChanged(target, text)
  // Standard output contains only the document.
  else
    for (const warning of result.warnings) stderr.write(formatDocumentWarning(warning, createView(stderr, env).style))
  const { openapi, paths, components } = result.document as unknown as GeneratedDocument
  return {
    file: isPrinted ? output : formatPlace(target),
    format,
    openapi,
    operations: result.operations,
    paths: Object.keys(paths).length,
    schemas: Object.keys(components?.schemas ?? {}).length,
    typed: result.isTyped,
    warnings: result.warnings,
    ...(isPrinted ? { text } : {}),
  }
}

const outputFix = "Name a file with --output, or print the document with --output -."

interface GeneratedDocument {
  readonly openapi: string
  readonly paths: object
  readonly components?: { readonly schemas?: object }
}

/**
 * Checks that the file can be written and is not a document written by hand. Called first, so that no work is lost.
 */
async function checkOutputFile(target: WritePlace, force: boolean): Promise<void> {
  const path = await resolveFilePath(target)
  await checkWritable({ ...target, path })
  if (force) return
  const file = formatPlace(target)
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return ""
    throw error
  })
  if (text.trim() === "" || /^\s*"?x-generated-by"?: "?fw"?,?$/m.test(text)) return
  throw fileFault("exists.openapi", [file], { at: { file } })
}

export function print(result: OpenAPIGenerateData, { style }: Pick<View, "style">): string {
  if (result.text !== undefined) return result.text
  const { file, openapi, operations, paths, schemas, warnings } = result
  const counts = [
    formatCount(operations, "operation"),
    formatCount(paths, "path"),
    formatCount(schemas, "schema"),
  ].join(", ")
  const lines = warnings.map((warning) => formatDocumentWarning(warning, style))
  return `${lines.join("")}${style.green("written")}  ${file}  ${style.dim(`OpenAPI ${openapi}: ${counts}`)}\n`
}

function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`
}

/** The OpenAPI document in parts that a model can read. Loaded by the tool `fw_openapi`; the command writes all of it to a file. */
import { FwError } from "../../lib/errors.ts"
import type { Warning } from "../../lib/openapi/model.ts"
import { run as generate } from "../commands/openapi-generate.ts"
import { projectDocument } from "../project/openapi.ts"
import type { OptionsOf } from "../spec.ts"
import type * as specs from "../specs/openapi.ts"
import type { Io } from "../terminal.ts"
import { partText } from "./list-routes.ts"
import { type OpenApiObject, type Operation, operationsOf, type PartFilter, partOf } from "./openapi-part.ts"

/** A part of a document, or a summary of it, and what could not be known. */
export interface OpenApiDocumentData {
  /** The version of OpenAPI. */
  readonly openapi: string
  readonly title: string
  /** How many operations the filters let through. */
  readonly total: number
  readonly offset: number
  readonly operations: readonly Operation[]
  /** The document of these operations with the components that they use; null where nothing was filtered by. */
  readonly document: object | null
  /** The file that the whole document was written to; null where none was named. */
  readonly file: string | null
  /** Whether types were read: without TypeScript in the project, only routes and comments are. */
  readonly typed: boolean
  /** The first of them. */
  readonly warnings: readonly Warning[]
  readonly warningsTotal: number
}

type Options = OptionsOf<typeof specs.document>

/** Characters of a document in an answer, and how many warnings. */
const longest = 60_000
const mostWarnings = 20

/** Makes it. Nothing is written but `output`. @throws FwError as `fw openapi generate` does; `too_long` for one operation that is. */
export async function run(options: Options, io: Io): Promise<OpenApiDocumentData> {
  if (options.output === "-") {
    const fix = "Name a file, or ask for a part of the document by path, method, tag or operationId."
    throw new FwError("arguments", 'output "-" is standard output, which has the protocol', fix)
  }
  const { output, format, force, path, method, tag, operationId, limit, offset, ...rest } = options
  const made = await projectDocument(io.cwd, { ...rest, signal: io.signal })
  const whole = made.document as unknown as OpenApiObject
  const file =
    output === undefined ? null : (await generate({ ...rest, output, format, force, load: false }, io)).file
  const filter: PartFilter = { path, method, tag, operationId }
  const matching = operationsOf(whole, filter)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const shown = matching.slice(offset, offset + limit)
  const part = isFiltered && file === null ? fitting(whole, shown) : null
  return {
    openapi: whole.openapi,
    title: whole.info.title,
    total: matching.length,
    offset,
    operations: part?.operations ?? shown,
    document: part?.document ?? null,
    file,
    typed: made.typed,
    warnings: made.warnings.slice(0, mostWarnings),
    warningsTotal: made.warnings.length,
  }
}

/** The document of as many operations as there is room for. */
function fitting(whole: OpenApiObject, shown: readonly Operation[]) {
  for (let count = shown.length; ; count = Math.floor(count / 2)) {
    const operations = shown.slice(0, count)
    const document = partOf(whole, operations)
    const { length } = JSON.stringify(document)
    if (length <= longest) return { operations, document }
    if (count > 1) continue
    const [{ method, path } = { method: "", path: "" }] = shown
    const what = `the document of ${method} ${path} alone has ${length} characters`
    throw new FwError(
      "too_long",
      what,
      "Write the document to a file with --output, and read from it what you need.",
    )
  }
}

/** The operations, a line each, then the document. */
export function print(data: OpenApiDocumentData): string {
  const { operations, document, file, total, offset, warnings, warningsTotal } = data
  const lines = document
    ? [JSON.stringify(document)]
    : operations.map(({ method, path, operationId, summary }) => {
        return [method, path, operationId, summary].filter((word) => word !== "").join(" ")
      })
  const told = warnings.map(
    ({ message, fix, at }) => `warning: ${at ? `${at.file}:${at.line}: ` : ""}${message}. ${fix}`,
  )
  return [
    ...lines,
    ...(file === null ? [] : [`The whole document was written to ${file}.`]),
    partText("operations", { total, offset, shown: operations.length }),
    ...(document || file !== null || total === 0
      ? []
      : ["For the document itself give --path, --method, --tag or --operation-id, or a file by --output."]),
    ...told,
    ...(warningsTotal > warnings.length ? [`and ${warningsTotal - warnings.length} more warnings`] : []),
  ].join("\n")
}

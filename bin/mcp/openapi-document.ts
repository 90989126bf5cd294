/** The tool `fw_openapi`: returns the OpenAPI document in parts that fit into a model's context. */

import type { OptionsOf } from "../cli/spec.ts"
import type { Io } from "../cli/terminal.ts"
import { run as generate } from "../commands/openapi-generate.ts"
import { toolFault } from "../messages/tools.ts"
import type { Warning } from "../openapi/document/model.ts"
import { makeProjectDocument } from "../openapi/openapi.ts"
import type * as specs from "../specs/openapi.ts"
import { checkMethod } from "./check-method.ts"
import { formatPart } from "./list-routes.ts"
import { listOperations, type OpenAPIObject, type Operation, type PartFilter, pickOperations } from "./openapi-part.ts"

/** A part or a summary of a document, with warnings. */
export interface OpenAPIDocumentData {
  /** The version of OpenAPI. */
  readonly openapi: string
  readonly title: string
  /** The number of operations that match the filters. */
  readonly total: number
  readonly offset: number
  readonly operations: readonly Operation[]
  /** A document with these operations and the components that they use; null without a filter. */
  readonly document: object | null
  /** The path of the file with the whole document; null if it was not written. */
  readonly file: string | null
  /** True if the types were read. Without TypeScript in the project, the document has only routes and comments. */
  readonly typed: boolean
  /** The first warnings. */
  readonly warnings: readonly Warning[]
  readonly warningsTotal: number
}

type Options = OptionsOf<typeof specs.document>

/** The longest document in a result, in characters, and the largest number of warnings. */
const maxDocumentLength = 60_000
const maxWarnings = 20

/**
 * Makes the document. Writes no file except `output`.
 *
 * @throws FwError as `fw openapi generate` does, `arguments`, and `too_long` for a single operation that does not
 * fit.
 */
export async function run(options: Options, io: Io): Promise<OpenAPIDocumentData> {
  if (options.output === "-") throw toolFault("arguments.stdout")
  const { output, format, force, path, method, tag, operationId, limit, offset, ...rest } = options
  checkMethod(method)
  const result = await makeProjectDocument(io.cwd, { ...rest, signal: io.signal })
  const document = result.document as unknown as OpenAPIObject
  const file = output === undefined ? null : (await generate({ ...rest, output, format, force, load: false }, io)).file
  const filter: PartFilter = { path, method, tag, operationId }
  const matching = listOperations(document, filter)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const pageOperations = matching.slice(offset, offset + limit)
  const part = isFiltered && file === null ? takeFitting(document, pageOperations) : null
  return {
    openapi: document.openapi,
    title: document.info.title,
    total: matching.length,
    offset,
    operations: part?.operations ?? pageOperations,
    document: part?.document ?? null,
    file,
    typed: result.isTyped,
    warnings: result.warnings.slice(0, maxWarnings),
    warningsTotal: result.warnings.length,
  }
}

/** Returns a document with as many operations as fit into a result. */
function takeFitting(whole: OpenAPIObject, pageOperations: readonly Operation[]) {
  for (let count = pageOperations.length; ; count = Math.floor(count / 2)) {
    const operations = pageOperations.slice(0, count)
    const document = pickOperations(whole, operations)
    const { length } = JSON.stringify(document)
    if (length <= maxDocumentLength) return { operations, document }
    if (count > 1) continue
    const [{ method, path } = { method: "", path: "" }] = pageOperations
    throw toolFault("too_long.operation", [method, path, length])
  }
}

/**
 * Returns the part of the document that a filter selects; without a filter, a line for each operation. Notes and
 * warnings follow.
 */
export function print(data: OpenAPIDocumentData): string {
  const { operations, document, file, total, offset, warnings, warningsTotal } = data
  const lines = document
    ? [JSON.stringify(document)]
    : operations.map(({ method, path, operationId, summary }) => {
        return [method, path, operationId, summary].filter((word) => word !== "").join(" ")
      })
  const warningLines = warnings.map(
    ({ message, fix, at }) => `warning: ${at ? `${at.file}:${at.line}: ` : ""}${message}. ${fix}`,
  )
  return [
    ...lines,
    ...(file === null ? [] : [`The whole document was written to ${file}.`]),
    formatPart("operations", { total, offset, shown: operations.length }),
    ...(document || file !== null || total === 0
      ? []
      : [
          "For the document itself, pass --path, --method, --tag or --operation-id, or write it to a file with --output.",
        ]),
    ...warningLines,
    ...(warningsTotal > warnings.length ? [`and ${warningsTotal - warnings.length} more warnings`] : []),
  ].join("\n")
}

/** The OpenAPI document as data. Loaded by the tool `fw_openapi`; the command writes it to a file instead. */
import type { Warning } from "../../lib/openapi/model.ts"
import { projectDocument } from "../project/openapi.ts"
import type { OptionsOf } from "../spec.ts"
import type * as specs from "../specs/openapi.ts"
import type { Io } from "../terminal.ts"

/** A document, and what could not be known. */
export interface OpenApiDocumentData {
  readonly document: object
  /** Whether types were read: without TypeScript in the project, only routes and comments are. */
  readonly typed: boolean
  readonly warnings: readonly Warning[]
}

/** Makes it; nothing is written. @throws FwError as `fw routes` does. */
export async function run(
  options: OptionsOf<typeof specs.document>,
  { cwd, signal }: Pick<Io, "cwd" | "signal">,
): Promise<OpenApiDocumentData> {
  const { document, typed, warnings } = await projectDocument(cwd, { ...options, signal })
  return { document, typed, warnings }
}

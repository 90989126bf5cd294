/** Reports the errors and warnings of the template compiler. */

import { findWarnings } from "../../template/compile.ts"
import type { Diagnostic as TemplateDiagnostic } from "../../template/index.ts"
import { measureMark } from "../mapper/transform.ts"
import type { Feature, OpenTemplate } from "./feature.ts"
import { type Diagnostic, errorSeverity, warningSeverity } from "./protocol.ts"

/** Returns the errors of the template compiler, or its warnings if there are no errors. */
export class CompilerFeature implements Feature {
  findDiagnostics({ template: { compiled } }: OpenTemplate): Diagnostic[] {
    const { diagnostics, source, file } = compiled
    const found = diagnostics.length > 0 ? diagnostics : findWarnings(source, file)
    const severity = diagnostics.length > 0 ? errorSeverity : warningSeverity
    return found.map((one) => ({ severity, source: "fw", ...toMessageAndRange(compiled, one) }))
  }
}

/** Returns the message of an error with its fix, and its range. */
export function toMessageAndRange(
  { source }: { readonly source: string },
  { line, column, offset, message, fix }: TemplateDiagnostic,
): Pick<Diagnostic, "message" | "range"> {
  const start = { line: line - 1, character: column - 1 }
  const end = { line: start.line, character: start.character + measureMark(source, offset) }
  return { message: fix ? `${message}\n${fix}` : message, range: { start, end } }
}

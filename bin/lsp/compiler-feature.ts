/** The errors of the template compiler. */

import type { Diagnostic as TemplateDiagnostic } from "../../lib/template/index.ts"
import { lengthAt } from "../mapper/transform.ts"
import type { Feature, OpenTemplate } from "./feature.ts"
import { type Diagnostic, errorSeverity } from "./protocol.ts"

/** Reports the errors of the template compiler. */
export class CompilerFeature implements Feature {
  diagnostics({ template }: OpenTemplate): Diagnostic[] {
    return template.compiled.diagnostics.map((found) => {
      return { severity: errorSeverity, source: "fw", ...shown(template.compiled, found) }
    })
  }
}

/** Returns the message and the place of an error, with its fix. */
export function shown(
  { source }: { readonly source: string },
  { line, column, offset, message, fix }: TemplateDiagnostic,
): Pick<Diagnostic, "message" | "range"> {
  const start = { line: line - 1, character: column - 1 }
  const end = { line: start.line, character: start.character + lengthAt(source, offset) }
  return { message: fix ? `${message}\n${fix}` : message, range: { start, end } }
}

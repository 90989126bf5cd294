/** Checks that browsers keep each element where its template has it. */
import { findWarnings } from "../../../lib/template/compile.ts"
import { type Finding, warning } from "./finding.ts"
import { ofTemplates } from "./of-sources.ts"

/** Returns the warnings about the markup of a template. */
export function nestingFindings(source: string, file: string): Finding[] {
  return findWarnings(source, file).map((found) => warning("nesting", found, found.message, found.fix))
}

/** Returns the warnings about the markup of all templates of a project. */
export const checkNesting = ofTemplates((file, text) => nestingFindings(text, file))

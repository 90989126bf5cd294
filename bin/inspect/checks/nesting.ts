/** Finds elements that browsers move to another place than where the template has them. */
import { findWarnings } from "../../../template/compile.ts"
import { createWarning, type Finding } from "./finding.ts"
import { createTemplateCheck } from "./source-checks.ts"

/** Returns the warnings about a template's markup. */
export function findNestingWarnings(source: string, file: string): Finding[] {
  return findWarnings(source, file).map((found) => createWarning("nesting", found, found.message, found.fix))
}

/** Returns the warnings about the markup of all templates of a project. */
export const checkNesting = createTemplateCheck((file, text) => findNestingWarnings(text, file))

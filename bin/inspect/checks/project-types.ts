/** Finds all type errors of a project, as its own type check would. */
import { findAwaitFix, findImportFix } from "../../../template/typescript-fixes.ts"
import { type ImportPlace, suggestImportFix } from "../../project/import-fix.ts"
import type { ProgramError, TypeProgram } from "../../tools/typescript/program.ts"
import { findMissingImport } from "../missing-import.ts"
import { createError, type Finding } from "./finding.ts"

/** The errors, and the number of checked files. */
export interface ProjectTypes {
  readonly findings: readonly Finding[]
  readonly files: number
}

/** Fixes for the most frequent errors of TypeScript. Other errors show only TypeScript's message. */
const fixesByCode: Readonly<Record<number, string>> = {
  1484: "Import the type with import type.",
  2304: "Import it, or correct the name.",
  2305: "Import a name that the module exports.",
  2307: "Correct the path, or install the package.",
  2322: "Give it a value of the type that it takes.",
  2339: "Use a property that the type has, or add it to the type.",
  2344: "Use a type that fits the constraint.",
  2345: "Pass a value of the type that the function takes.",
  2349: "Call a function, or leave the parentheses out.",
  2353: "Remove the property, or add it to the type.",
  2355: "Return a value on every path.",
  2366: "Return a value on every path, or add undefined to the type.",
  2367: "Compare values of types that have something in common.",
  2454: "Give it a value before it is read.",
  2531: "Check that it is not null first.",
  2532: "Check that it is not undefined first.",
  2540: "Change a copy instead, or take readonly out of the type.",
  2551: "Correct the name.",
  2552: "Import it, or correct the name.",
  2554: "Pass as many arguments as the function takes. An answer takes its status first: c.json(200, data).",
  2588: "Declare it with let.",
  2688: "Install the package with these types, or take its name out of compilerOptions.types.",
  2739: "Add the missing properties, or make them optional in the type.",
  2740: "Add the missing properties, or make them optional in the type.",
  2741: "Add the missing property, or make it optional in the type.",
  2769: "Pass arguments that fit one of the function's signatures.",
  6133: "Use it, or remove it.",
  7006: "Write the type of the parameter.",
  7016: "Install the types of the package, or declare the module.",
  7030: "Return a value on every path.",
  7031: "Write the type of the parameter.",
  7053: "Use a key that the type has, or give the type an index signature.",
  18046: "Check its type first.",
  18047: "Check that it is not null first.",
  18048: "Check that it is not undefined first.",
}

/** Returns the type errors in the project's files. */
export function findTypeErrors(types: TypeProgram): ProjectTypes {
  const { errors, files } = types.findProjectErrors()
  return { findings: errors.map((error) => toFinding(types.root, error)), files }
}

/** Returns the fix for an error of TypeScript, by its code and message; empty if the message says enough. */
export function findTypeFix(code: number, message: string, place: ImportPlace): string {
  const fix = findImportFix(message) || suggestImportFix(place, message) || findAwaitFix(message)
  if (fix) return fix
  const missing = /^Cannot find name '([\w$]+)'/.exec(message)?.[1]
  const line = missing === undefined ? "" : findMissingImport(place, missing)
  if (line) return line
  const suggestion = findSuggestedName(message)
  return suggestion ? `Did you mean ${suggestion}?` : (fixesByCode[code] ?? "")
}

/** Returns the name that TypeScript's message suggests. */
function findSuggestedName(message: string): string | undefined {
  return /Did you mean (?:to write |the (?:static|instance) member )?'([^']+)'\?/.exec(message)?.[1]
}

function toFinding(root: string, { code, message, ...spot }: ProgramError): Finding {
  const fix = findTypeFix(code, message, { root, file: spot.file })
  const at = spot.file === "tsconfig.json" ? { file: spot.file } : spot
  return createError("typescript", at, `${message} (TS${code})`, fix)
}

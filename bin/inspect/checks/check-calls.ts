/** Checks the types of calls that promise validation: it must be possible to check requests against each type. */
import type { TypeProgram } from "../../tools/typescript/program.ts"
import { listProblems } from "../../validators/prepare-validators.ts"
import { findFilesWithCalls, readCalls } from "../../validators/read-calls.ts"
import { createError, createWarning, type Finding } from "./finding.ts"

/** Returns the calls that cannot be checked, and the first position where any value is accepted. */
export function checkCalls(types: TypeProgram, isStrict: boolean): Finding[] {
  const calls = readCalls(types, findFilesWithCalls(types))
  return listProblems(calls, isStrict).map(({ isError, message, fix, ...spot }) =>
    (isError ? createError : createWarning)("validators", spot, message, fix),
  )
}

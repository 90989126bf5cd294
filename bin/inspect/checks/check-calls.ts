/** Checks the calls that are validated against a type: it must be possible to check a request against each type. */
import type { TypeProgram } from "../../tools/typescript/program.ts"
import { listProblems } from "../../validators/prepare-validators.ts"
import { findFilesWithCalls, readCalls } from "../../validators/read-calls.ts"
import { createError, createWarning, type Finding } from "./finding.ts"

/** Returns the calls that are not checked, and the first place that accepts everything. */
export function checkCalls(types: TypeProgram, isStrict: boolean): Finding[] {
  const calls = readCalls(types, findFilesWithCalls(types))
  return listProblems(calls, isStrict).map(({ isError, message, fix, ...spot }) =>
    (isError ? createError : createWarning)("validators", spot, message, fix),
  )
}

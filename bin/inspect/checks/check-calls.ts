/** Checks the calls that are validated against a type: each type must be one that a request can be checked against. */
import type { TypeProgram } from "../../tools/typescript/program.ts"
import { listProblems } from "../../validators/prepare-validators.ts"
import { findFilesWithCalls, readCalls } from "../../validators/read-calls.ts"
import { createError, createWarning, type Finding } from "./finding.ts"

/** Returns what is not checked, and the first place that accepts everything. */
export function checkCalls(types: TypeProgram, isStrict: boolean): Finding[] {
  const calls = readCalls(types, findFilesWithCalls(types))
  return listProblems(calls, isStrict).map(({ isError, message, fix, ...spot }) =>
    (isError ? createError : createWarning)("validators", spot, message, fix),
  )
}

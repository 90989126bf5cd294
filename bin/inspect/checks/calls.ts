/** Checks the calls that are validated against a type: each type must be one that a request can be checked against. */
import type { TypeProgram } from "../../tools/typescript/program.ts"
import { problemsOf } from "../../validators/prepare.ts"
import { filesWithCalls, readCalls } from "../../validators/read.ts"
import { type Finding, failure, warning } from "./finding.ts"

/** Returns what is not checked, and the first place that accepts everything. */
export function callFindings(types: TypeProgram, isStrict: boolean): Finding[] {
  const calls = readCalls(types, filesWithCalls(types))
  return problemsOf(calls, isStrict).map(({ isError, message, fix, ...spot }) =>
    (isError ? failure : warning)("validators", spot, message, fix),
  )
}

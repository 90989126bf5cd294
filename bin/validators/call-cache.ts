/** Reads the calls in a project that changes often, from a program that stays open. */
import type { TypeCache } from "../openapi/type-cache.ts"
import { findBrokenSyntax } from "../openapi/types/broken-syntax.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import { findRoots, findSourceFiles, findUntypedCall } from "./prepare-validators.ts"
import { type FileCalls, findFilesWithCalls, readCalls } from "./read-calls.ts"

/** Returns the current calls, or the reason why types cannot be read. */
export async function readCurrentCalls(root: string, types: TypeCache): Promise<readonly FileCalls[] | Untyped> {
  const roots = findRoots(root, await findSourceFiles(root))
  if (roots.length === 0) return []
  const read = await types.useProgram("calls", roots, (program) => {
    const files = readCalls(program, findFilesWithCalls(program))
    return (files.length > 0 && findBrokenSyntax(program)) || files
  })
  if (!("untyped" in read)) return read
  return findUntypedCall(root, roots) ? read : []
}

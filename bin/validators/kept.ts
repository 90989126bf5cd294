/** The calls of a project that is changed again and again, in a program that stays open. */
import type { KeptTypes } from "../openapi/kept-types.ts"
import { brokenSyntax } from "../openapi/types/broken-syntax.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import { readRoots, sourceFiles, untypedCalls } from "./prepare.ts"
import { type FileCalls, filesWithCalls, readCalls } from "./read.ts"

/** Returns the current calls; the reason if the types of a call cannot be read. */
export async function keptCalls(root: string, types: KeptTypes): Promise<readonly FileCalls[] | Untyped> {
  const roots = readRoots(root, await sourceFiles(root))
  if (roots.length === 0) return []
  const read = await types.current("calls", roots, (program) => {
    const files = readCalls(program, filesWithCalls(program))
    return (files.length > 0 && brokenSyntax(program)) || files
  })
  if (!("untyped" in read)) return read
  return untypedCalls(root, roots) ? read : []
}

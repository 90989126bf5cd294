/** The names of a file of TypeScript's program, read once. */
import type { SourceFile } from "typescript/unstable/ast"

/** Gives a file its names as values. Its own properties read them from TypeScript's bytes each time, also for the id of a node. */
export function withNames(source: SourceFile): SourceFile {
  if (Object.hasOwn(source, "fileName")) return source
  const { fileName, path } = source as SourceFile & { readonly path: unknown }
  return Object.defineProperties(source, { fileName: { value: fileName }, path: { value: path } })
}

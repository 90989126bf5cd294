/** Finds the modules that a bundle imports when it starts. */
import type { Metafile } from "esbuild"
import { readPackageName } from "../tools/npm.ts"

/**
 * Returns the packages and the relative paths outside a bundle that its entry reaches by `import` declarations.
 * `import()` and `require()` do not count, because a program may choose those modules by its runtime.
 */
export function findStartImports({ inputs }: Metafile, entry: string): ReadonlySet<string> {
  const reachableFiles = new Set([entry])
  const outside = new Set<string>()
  // The loop over a set also visits entries that are added during the loop.
  for (const file of reachableFiles) {
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (kind !== "import-statement") continue
      if (external) outside.add(readPackageName(path) ?? path)
      else reachableFiles.add(path)
    }
  }
  return outside
}

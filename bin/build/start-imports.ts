/** The imports that a bundle makes when it starts, without those that it may make later. */
import type { Metafile } from "esbuild"
import { readPackageName } from "../tools/npm.ts"

/**
 * Returns the packages and the relative paths outside a bundle that its entry reaches by `import` declarations. What
 * `import()` or `require()` loads is not among them: a program may choose it by its runtime.
 */
export function findStartImports({ inputs }: Metafile, entry: string): ReadonlySet<string> {
  const seen = new Set([entry])
  const outside = new Set<string>()
  // A set also visits what is added while it is read.
  for (const file of seen) {
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (kind !== "import-statement") continue
      if (external) outside.add(readPackageName(path) ?? path)
      else seen.add(path)
    }
  }
  return outside
}

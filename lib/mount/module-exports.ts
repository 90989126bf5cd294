/** What the files of a route tree have to export. Called by `lib/mount/mount.ts` and `lib/mount/pages.ts`. */
import { FwError } from "../errors.ts"
import type { Routes } from "../tree.ts"

/**
 * Returns a function that a file of the tree exports.
 *
 * @throws FwError `mount` if the export or the file is missing.
 */
export function exported<F>(routes: Routes, file: string, name: string): F {
  const module = routes.modules[file]
  const at = { file }
  if (!module) {
    const fix = "Generate them again: run fw dev or fw build."
    throw new FwError("mount", `the routes hold no module for ${file}`, fix, { at })
  }
  const value = module[name]
  if (typeof value === "function") return value as F
  const what =
    value === undefined ? `exports no function ${name}` : `exports ${name} as ${typeof value}, not a function`
  const head = file.endsWith(".tpl") ? `template ${name}(…)` : `export function ${name}(…)`
  throw new FwError("mount", `${file} ${what}`, `Write: ${head} { … }`, { at })
}

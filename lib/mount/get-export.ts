/** Reads the exports of files in a route tree. */
import { fault } from "../errors/fault.ts"
import type { Routes } from "../tree.ts"

/**
 * Returns a function that a file of the tree exports under a name.
 *
 * @throws FwError `mount` if the export or the file is missing.
 */
export function getExport<F>(routes: Routes, file: string, name: string): F {
  const module = routes.modules[file]
  const at = { file }
  if (!module) throw fault("mount.module", [file], { at })
  const value = module[name]
  if (typeof value === "function") return value as F
  throw fault("mount.export", [file, name, typeof value], { at })
}

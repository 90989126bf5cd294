/** Imports the files of a route tree, without generated code. */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { hostFault } from "../../lib/lifecycle/host-fault.ts"
import { getModuleFile, listTreeFiles, type Routes, type RouteTree } from "../../lib/tree.ts"

/** Imports all files of a tree. @throws FwError that names the file if one cannot be imported. */
export async function loadRoutes(tree: RouteTree): Promise<Routes> {
  const modules: Record<string, Record<string, unknown>> = {}
  for (const file of listTreeFiles(tree)) modules[file] = await importFile(getModuleFile(file))
  return { tree, modules }
}

async function importFile(file: string): Promise<Record<string, unknown>> {
  try {
    return await import(pathToFileURL(resolve(file)).href)
  } catch (cause) {
    const { code } = cause as { code?: string }
    throw hostFault("load", [file, code === "ERR_UNKNOWN_FILE_EXTENSION"], { cause, at: { file } })
  }
}

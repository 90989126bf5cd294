/**
 * Finds the routes that a project's main file registers itself. A scan of the route directory does not find them.
 */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { createEmptyTree, type RouteTree } from "../../lib/tree.ts"
import { findMain, type Project } from "../project/project.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import { describeProject } from "./openapi.ts"
import { getTypeCache } from "./type-cache.ts"

/** A tree with the registered routes. */
export interface WholeTree {
  readonly tree: RouteTree
  /** Why the registered routes are not in the tree; null if they are. */
  readonly untyped: Untyped | null
}

/** Matches a call that may register a route. Only the types tell for sure, and reading them takes time. */
const registrationPattern = /\.\s*(?:get|post|put|patch|delete|head|options|all|group|registerRoute)\s*\(/

/** Functions of fw that take an app but do not register routes to list. */
const functionsWithoutRoutes = new Set(["mcp", "serve", "nodeHandler", "testClient"])

/** Returns true if a main file may register routes, itself or through a function to which it passes the app. */
function mayRegister(text: string): boolean {
  if (registrationPattern.test(text)) return true
  const names = [...text.matchAll(/\b(?:const|let|var)\s+(\w+)\s*=\s*new\s+App\b/g)].map(([, name]) => name)
  return names.some((name) => {
    const calls = text.matchAll(new RegExp(`(?:(\\w+)\\s*\\(|,)\\s*${name}\\s*[,)]`, "g"))
    return [...calls].some(([, called = ""]) => !functionsWithoutRoutes.has(called))
  })
}

/** Adds the routes that the main file registers to the routes of a scan. Does not run the project's code. */
export async function addRegisteredRoutes(project: Project, tree: RouteTree): Promise<WholeTree> {
  const { root } = project
  const main = findMain(project)
  if (main === null || !mayRegister(await readFile(join(root, main), "utf8"))) return { tree, untyped: null }
  // An open program has already read the files of the tree. A new program would have to read them, so it gets only the
  // main file.
  const described = await describeProject(root, getTypeCache(root) ? tree : createEmptyTree(tree.appDir), main)
  if ("untyped" in described) return { tree, untyped: described }
  const registered = described.registeredRoutes.map(({ method, pattern, at }) => {
    // The name of the export is not used for a route outside a route file.
    return { method, pattern, file: at.file, export: "All", line: at.line, middleware: [] } as const
  })
  return { tree: { ...tree, routes: [...tree.routes, ...registered] }, untyped: null }
}

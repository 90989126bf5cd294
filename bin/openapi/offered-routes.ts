/** Reads facts about the routes that a project offers to language models, with the export `mcp`. */
import { env } from "../../adapters/disk/env.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { findMain, type Project } from "../project/project.ts"
import { makeDocument } from "./document/document.ts"
import { findGuards, type RouteGuards } from "./document/guards.ts"
import type { Warning } from "./document/model.ts"
import { makeTools } from "./document/tools.ts"
import { describeProject } from "./openapi.ts"

/** Facts about the offered routes. */
export interface OfferedRoutes {
  /** The reasons why some of the routes cannot be tools. */
  readonly leftOut: readonly Warning[]
  readonly guards: readonly RouteGuards[]
}

/** Reads the types once for both facts. Does not run the project's code. */
export async function readOfferedRoutes(project: Project, tree: RouteTree): Promise<OfferedRoutes> {
  const described = await describeProject(project.root, tree, findMain(project))
  const appFacts = "untyped" in described ? null : described
  const { loadURLPattern } = env
  const options = { title: "API", version: "1.0.0", ...appFacts?.info, openapi30: false, loadURLPattern }
  const { document, routes } = await makeDocument(tree, appFacts, options)
  const { warnings } = makeTools({ document, routes, tree, isTyped: appFacts !== null })
  const offered = new Set(tree.routes.flatMap(({ mcp, method, pattern }) => (mcp ? [`${method} ${pattern}`] : [])))
  const guards = await findGuards(tree, appFacts, loadURLPattern)
  return {
    leftOut: warnings,
    guards: guards.filter(({ method, pattern }) => offered.has(`${method} ${pattern}`)),
  }
}

/** The guards of the routes of a project, read from its comments and its types. */
import { env } from "../../adapters/disk/env.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { findMain, type Project } from "../project/project.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import { findGuards, type RouteGuards } from "./document/guards.ts"
import { describeProject } from "./openapi.ts"

/** The guards of a project's routes. */
export interface ProjectGuards {
  readonly routes: readonly RouteGuards[]
  /** The reason why types were not read, so that only comments count; null if they were read. */
  readonly untyped: Untyped | null
}

/** Reads the guards. Runs none of the project's code. */
export async function readProjectGuards(project: Project, tree: RouteTree): Promise<ProjectGuards> {
  const described = await describeProject(project.root, tree, findMain(project))
  const untyped = "untyped" in described ? described : null
  const known = "untyped" in described ? null : described
  return { routes: await findGuards(tree, known, env.urlPattern), untyped }
}

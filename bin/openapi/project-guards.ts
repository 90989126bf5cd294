/** Reads the guards of a project's routes from comments and types. */
import { env } from "../../adapters/disk/env.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { findMain, type Project } from "../project/project.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import { findGuards, type RouteGuards } from "./document/guards.ts"
import { describeProject } from "./openapi.ts"

/** The guards of a project's routes. */
export interface ProjectGuards {
  readonly routes: readonly RouteGuards[]
  /** Why the types were not read, so that only comments count; null if they were read. */
  readonly untyped: Untyped | null
}

/** Reads the guards. Does not run the project's code. */
export async function readProjectGuards(project: Project, tree: RouteTree): Promise<ProjectGuards> {
  const described = await describeProject(project.root, tree, findMain(project))
  const untyped = "untyped" in described ? described : null
  const appFacts = "untyped" in described ? null : described
  return { routes: await findGuards(tree, appFacts, env.loadURLPattern), untyped }
}

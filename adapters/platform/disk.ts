/** What every runtime with a disk and `node:` modules brings: environment, static files, scanning, loading. Shared by the platforms of Node, Bun and Deno. */
import { resolve } from "node:path"
import { answerRequest } from "../../lib/answer-request.ts"
import { Lifecycle, type Serving } from "../../lib/lifecycle.ts"
import type { Platform } from "../../lib/platform.ts"
import { reportBug } from "../../lib/report-bug.ts"
import { type FilesOf, serveStatic } from "../../lib/static/static.ts"
import { env } from "../disk/env.ts"
import { filesOf, laterFilesOf } from "../disk/files.ts"

/** Where a bundle is, which `fw build` writes in here; not there where nothing was bundled. */
declare const FW_BUNDLE_DIRECTORY: string | undefined

/** Directories that were known when a bundle was built stand beside it. */
function besideBundle(dir: string) {
  // A bundler of somebody else's may leave it out.
  if (typeof FW_BUNDLE_DIRECTORY !== "string") return null
  return filesOf(resolve(FW_BUNDLE_DIRECTORY, dir))
}

const files: FilesOf = (dir, embed = true) => {
  const source = embed ? (besideBundle(dir) ?? filesOf(dir)) : laterFilesOf(dir)
  return source && ((segments, request) => serveStatic(source, segments, request))
}

/** A platform but for its server and what that takes. What is heavy is imported when it is asked for. */
export const disk = {
  env,
  report: (bug) => reportBug(bug, env),
  files,
  scan: async (appDir) => (await import("../disk/directory.ts")).scanDirectory(process.cwd(), appDir),
  load: async (tree) => (await import("../disk/load.ts")).loadRoutes(tree),
  fetch: answerRequest,
} satisfies Platform

/** A platform out of its parts. */
export function serving(parts: Platform & Serving): Platform {
  return { ...parts, server: () => new Lifecycle(parts) }
}

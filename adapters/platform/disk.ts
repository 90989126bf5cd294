/**
 * Platform parts for runtimes with a disk and `node:` modules: environment, static files, scanning, loading.
 */
import { resolve } from "node:path"
import { bundleDirectory } from "#bundle"
import { answerRequest } from "../../lib/answer-request.ts"
import { devHooks } from "../../lib/dev/hooks.ts"
import { Lifecycle, type Serving } from "../../lib/lifecycle.ts"
import { reportBug } from "../../lib/log/process-log.ts"
import type { Platform } from "../../lib/platform.ts"
import { type FilesOf, serveStatic } from "../../lib/static/static.ts"
import { env } from "../disk/env.ts"
import { filesOf, laterFilesOf } from "../disk/files.ts"
import { realDirectory } from "../disk/real-directory.ts"

/** Returns the path next to the bundle of a directory that was known at build time. */
function bundledFiles(dir: string) {
  return bundleDirectory === null ? null : filesOf(resolve(bundleDirectory, dir))
}

/** Most programs have no directory: only the others need the code that serves files. */
function existingFiles(dir: string) {
  return realDirectory(resolve(dir)) === null ? null : filesOf(dir)
}

const files: FilesOf = (dir, embed = true) => {
  const source = embed ? (bundledFiles(dir) ?? existingFiles(dir)) : laterFilesOf(dir)
  return source && ((segments, request) => serveStatic(source, segments, request))
}

/** A platform without its server. Large modules are imported on first use. */
export const disk = {
  env,
  report(bug) {
    const hooks = devHooks()
    if (hooks?.onBug) hooks.onBug(bug)
    else reportBug(bug, env)
  },
  files,
  scan: async (appDir) => (await import("../disk/directory.ts")).scanDirectory(process.cwd(), appDir),
  load: async (tree) => (await import("../disk/load.ts")).loadRoutes(tree),
  save: async (path, body) => (await import("../disk/save.ts")).saveStream(path, body),
  fetch: answerRequest,
} satisfies Omit<Platform, "decodes">

/** Builds a platform from its parts. */
export function serving(parts: Platform & Serving): Platform {
  return { ...parts, server: (app) => new Lifecycle(app, parts) }
}

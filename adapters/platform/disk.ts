/**
 * The parts of `#platform` for runtimes with a disk and `node:` modules: environment, static files, scanning, loading.
 */
import { resolve } from "node:path"
import { bundleDirectory } from "#bundle"
import { answerRequest } from "../../lib/answer-request.ts"
import { getDevHooks } from "../../lib/dev/hooks.ts"
import { Lifecycle, type ServingPlatform } from "../../lib/lifecycle/lifecycle.ts"
import { reportBug } from "../../lib/log/process-log.ts"
import type { Platform } from "../../lib/platform.ts"
import { createStaticHandler, type FindFiles } from "../../lib/static/serve-static.ts"
import { env } from "../disk/env.ts"
import { createDeferredFileSource, createFileSource } from "../disk/files.ts"

/** Returns the files of a directory that `fw build` has copied next to the bundle. */
function findBundledFiles(dir: string) {
  return bundleDirectory === null ? null : createFileSource(resolve(bundleDirectory, dir))
}

const findFiles: FindFiles = (dir, embed = true) => {
  const source = embed ? (findBundledFiles(dir) ?? createFileSource(dir)) : createDeferredFileSource(dir)
  return source && createStaticHandler(source)
}

/** A platform without a server. Large modules are imported when they are first used. */
export const diskPlatform = {
  env,
  report(bug) {
    const hooks = getDevHooks()
    if (hooks?.onBug) hooks.onBug(bug)
    else reportBug(bug, env)
  },
  files: findFiles,
  scan: async (appDir) => (await import("../disk/directory.ts")).scanDirectory(process.cwd(), appDir),
  load: async (tree) => (await import("../disk/load-routes.ts")).loadRoutes(tree),
  save: async (path, body) => (await import("../disk/save-stream.ts")).saveStream(path, body),
  fetch: answerRequest,
} satisfies Omit<Platform, "decodes">

/** Returns a platform with the function that creates the server of an app. */
export function createServingPlatform(parts: Platform & ServingPlatform): Platform {
  return { ...parts, server: (app) => new Lifecycle(app, parts) }
}

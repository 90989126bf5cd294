/** `#platform` on Node: environment, disk and server. What is heavy is imported when it is asked for. */
import { filesOf } from "../lib/files.ts"
import type { Platform } from "../lib/platform.ts"
import { serveStatic } from "../lib/static.ts"
import { env } from "./env.node.ts"

/** Node's side of the core's one door. */
export const platform: Platform = {
  env,
  files(dir) {
    const source = filesOf(dir)
    return source && ((segments, request) => serveStatic(source, segments, request))
  },
  serve: async (app, options) => (await import("./node.ts")).serve(app, options),
  scan: async (appDir) => (await import("../lib/directory.ts")).scanDirectory(process.cwd(), appDir),
  load: async (tree) => (await import("./node-routes.ts")).loadRoutes(tree),
}

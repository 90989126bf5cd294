/** `#platform` on Node: environment, disk and server. What is heavy is imported when it is asked for. */
import { filesOf } from "../lib/files.ts"
import type { Env, Platform, URLPatternConstructor } from "../lib/platform.ts"
import { serveStatic } from "../lib/static.ts"
import { outputOf } from "./output.node.ts"

/** The process: its variables, its output, its URLPattern. */
export const env: Env = {
  get: (name) => process.env[name],
  out: outputOf(process.stdout),
  err: outputOf(process.stderr),
  async urlPattern() {
    const { URLPattern } = globalThis as { URLPattern?: URLPatternConstructor }
    if (URLPattern) return URLPattern
    return (await import("../vendor/urlpattern.ts")).URLPattern as URLPatternConstructor
  },
}

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

/** What every runtime with a disk and `node:` modules brings: environment, static files, scanning, loading. Shared by the platforms of Node, Bun and Deno. */
import { filesOf } from "../lib/files.ts"
import type { Platform } from "../lib/platform.ts"
import { serveStatic } from "../lib/static.ts"
import { env } from "./env.node.ts"

/** A platform but for its server. What is heavy is imported when it is asked for. */
export const disk: Omit<Platform, "serve"> = {
  env,
  files(dir) {
    const source = filesOf(dir)
    return source && ((segments, request) => serveStatic(source, segments, request))
  },
  scan: async (appDir) => (await import("../lib/directory.ts")).scanDirectory(process.cwd(), appDir),
  load: async (tree) => (await import("./node-routes.ts")).loadRoutes(tree),
}

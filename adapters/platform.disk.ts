/** What every runtime with a disk and `node:` modules brings: environment, static files, scanning, loading. Shared by the platforms of Node, Bun and Deno. */
import { resolve } from "node:path"
import { answerRequest } from "../lib/answer-request.ts"
import * as body from "../lib/body.ts"
import * as forwarding from "../lib/client-address.ts"
import * as cookies from "../lib/cookies.ts"
import * as openapi from "../lib/document.ts"
import type { Features } from "../lib/features.ts"
import { filesOf, laterFilesOf } from "../lib/files.ts"
import { Lifecycle, type Serving } from "../lib/lifecycle.ts"
import { messages } from "../lib/messages.ts"
import { mountTree } from "../lib/mount.ts"
import { mountedExchange, mountHandler } from "../lib/mount-handler.ts"
import { pages } from "../lib/pages.ts"
import type { Platform } from "../lib/platform.ts"
import { makeProxy } from "../lib/proxy.ts"
import { RequestLogger, reportBug } from "../lib/request-logger.ts"
import { serveStatic } from "../lib/static.ts"
import { staticFeature } from "../lib/static-mounts.ts"
import { streamOf } from "../lib/stream.ts"
import { checkSocket, socketFinder, upgradeRequired } from "../lib/upgrade.ts"
import { env } from "./env.node.ts"

/** Where a bundle is, which `fw build` writes in here; not there where nothing was bundled. */
declare const FW_BUNDLE_DIRECTORY: string | undefined

/** Directories that were known when a bundle was built stand beside it. */
function besideBundle(dir: string) {
  // A bundler of somebody else's may leave it out.
  if (typeof FW_BUNDLE_DIRECTORY !== "string") return null
  return filesOf(resolve(FW_BUNDLE_DIRECTORY, dir))
}

/** All there are. What few programs do is imported when it is asked for. */
const features: Features = {
  body,
  cookies,
  forwarding,
  logger: (config) => new RequestLogger(config, env),
  messages,
  mount: { mountTree, mountHandler, mountedExchange },
  openapi,
  pages,
  proxy: { makeProxy },
  stream: { streamOf },
  sse: { openEvents: async (...given) => (await import("../lib/sse.ts")).openEvents(...given) },
  sockets: {
    finder: socketFinder,
    upgradeRequired,
    socketRoute(run, pattern) {
      checkSocket(run, pattern)
      return async (c) => (await import("../lib/socket.ts")).answerUpgrade(c, run)
    },
  },
  disk: {
    scan: async (appDir) => (await import("../lib/directory.ts")).scanDirectory(process.cwd(), appDir),
    load: async (tree) => (await import("./node-routes.ts")).loadRoutes(tree),
  },
  static: staticFeature((dir, embed = true) => {
    const source = embed ? (besideBundle(dir) ?? filesOf(dir)) : laterFilesOf(dir)
    return source && ((segments, request) => serveStatic(source, segments, request))
  }),
}

/** A platform but for its server and what that takes. What is heavy is imported when it is asked for. */
export const disk: Platform = {
  env,
  report: (bug) => reportBug(bug, env),
  features,
  fetch: answerRequest,
}

/** A platform out of its parts. */
export function serving(parts: Platform & Serving): Platform {
  return { ...parts, features: { ...parts.features, server: () => new Lifecycle(parts) } }
}

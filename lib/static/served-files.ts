/** Which requests were answered with a static file: known to the logger, which `fw dev` keeps from printing them. */
import type { Context } from "../context.ts"

/** The requests that a static file has answered. */
export const servedFiles = new WeakSet<Context>()

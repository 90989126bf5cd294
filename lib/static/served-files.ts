/** Records which requests were answered with a static file. `fw dev` does not log them. */
import type { Context } from "../context.ts"

/** Requests that were answered with a static file. */
export const servedFiles = new WeakSet<Context>()

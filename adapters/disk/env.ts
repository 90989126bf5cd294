/** The environment of an app on Node, Bun and Deno: variables, output, and URLPattern. */
import { channel } from "node:diagnostics_channel"
import type { Env, Output, URLPatternConstructor } from "../../lib/platform.ts"
import { createOutput } from "./output.ts"

let out: Output | undefined
let err: Output | undefined

/**
 * The {@link Env} of the process. The outputs are getters, because Node creates `process.stdout` when it is first read,
 * which takes time.
 */
export const env: Env & Required<Pick<Env, "out" | "err">> = {
  get: (name) => process.env[name],
  vars: process.env,
  getChannel: channel,
  get out() {
    out ??= createOutput(process.stdout)
    return out
  },
  get err() {
    err ??= createOutput(process.stderr)
    return err
  },
  async loadURLPattern() {
    const { URLPattern } = globalThis as { URLPattern?: URLPatternConstructor }
    return URLPattern ?? loadURLPattern()
  },
}

/** Loads the polyfill of `URLPattern`. */
export async function loadURLPattern(): Promise<URLPatternConstructor> {
  return (await import("#vendor/urlpattern")).URLPattern as URLPatternConstructor
}

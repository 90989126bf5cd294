/** The process of an app on Node, Bun and Deno: its variables, its output, its URLPattern. */
import { channel } from "node:diagnostics_channel"
import type { Env, Output, URLPatternConstructor } from "../../lib/platform.ts"
import { createOutput } from "./output.ts"

let out: Output | undefined
let err: Output | undefined

/** The {@link Env} of a process. Node makes a stream when a program first names `process.stdout`, which takes time. */
export const env: Env & Required<Pick<Env, "out" | "err">> = {
  get: (name) => process.env[name],
  vars: process.env,
  channel,
  get out() {
    out ??= createOutput(process.stdout)
    return out
  },
  get err() {
    err ??= createOutput(process.stderr)
    return err
  },
  async urlPattern() {
    const { URLPattern } = globalThis as { URLPattern?: URLPatternConstructor }
    return URLPattern ?? loadURLPattern()
  },
}

/** Loads the implementation of `URLPattern` in JavaScript. */
export async function loadURLPattern(): Promise<URLPatternConstructor> {
  return (await import("#vendor/urlpattern")).URLPattern as URLPatternConstructor
}

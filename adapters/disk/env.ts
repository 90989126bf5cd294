/** The process of an app on Node, Bun and Deno: its variables, its output, its URLPattern. */
import type { Env, URLPatternConstructor } from "../../lib/platform.ts"
import { keptTextLog } from "./kept-text-log.ts"
import { outputOf } from "./output.ts"

/** The {@link Env} of a process. */
export const env: Env & Required<Pick<Env, "out" | "err">> = {
  get: (name) => process.env[name],
  vars: process.env,
  out: outputOf(process.stdout),
  err: outputOf(process.stderr),
  textLog: keptTextLog,
  async urlPattern() {
    const { URLPattern } = globalThis as { URLPattern?: URLPatternConstructor }
    return URLPattern ?? polyfill()
  },
}

/** Loads `URLPattern` in JavaScript. */
export async function polyfill(): Promise<URLPatternConstructor> {
  return (await import("../../vendor/urlpattern.ts")).URLPattern as URLPatternConstructor
}

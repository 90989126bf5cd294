/** The process around an app on Node: its variables, its output, its URLPattern. Used by the platform and the adapter. */
import type { Env, URLPatternConstructor } from "../lib/platform.ts"
import { outputOf } from "./output.node.ts"

/** Node's side of {@link Env}. */
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

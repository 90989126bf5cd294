/** `#platform` for a runtime that none of the others fits. `app.fetch` works; what needs a disk or a socket says so. */
import { fault } from "../lib/fault.ts"
import type { Platform, URLPatternConstructor } from "../lib/platform.ts"
import { report } from "./plain-logger.ts"

function none(what: string): never {
  throw fault("platform", what)
}

/** What can be done without knowing the runtime. */
export const platform: Platform = {
  env: {
    get: () => undefined,
    vars: {},
    urlPattern: async () =>
      (globalThis as { URLPattern?: URLPatternConstructor }).URLPattern ?? none("URLPattern"),
  },
  report,
  listening: () => ({ addr: "", listen: async () => none("server"), shutdown: async () => {} }),
  features: {},
  scan: async () => none("disk to scan"),
  load: async () => none("disk to load from"),
}

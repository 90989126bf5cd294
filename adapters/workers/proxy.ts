/** `import "fw/workers/proxy"`: `app.setProxy()` in a worker. */
import { platform } from "#platform"
import { makeProxy } from "../../lib/proxy.ts"

platform.features.proxy ??= { makeProxy }

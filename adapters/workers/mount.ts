/** `import "fw/workers/mount"`: `app.mount()` and `app.router.mount()` in a worker. */
import { platform } from "#platform"
import { mountTree } from "../../lib/mount.ts"
import { mountedExchange, mountHandler } from "../../lib/mount-handler.ts"

platform.features.mount ??= { mountTree, mountHandler, mountedExchange }

/** `import "fw/workers/mount"`: `app.mount()` in a worker. */
import { platform } from "#platform"
import * as mount from "../../lib/mount.ts"

platform.features.mount ??= mount

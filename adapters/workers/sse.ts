/** `import "fw/workers/sse"`: `c.sse()` in a worker. */
import { platform } from "#platform"
import * as sse from "../../lib/sse.ts"

platform.features.sse ??= sse

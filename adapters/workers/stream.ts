/** `import "fw/workers/stream"`: `c.stream()` of what a generator yields, in a worker. */
import { platform } from "#platform"
import { streamOf } from "../../lib/stream.ts"

platform.features.stream ??= { streamOf }

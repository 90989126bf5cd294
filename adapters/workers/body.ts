/** `import "fw/workers/body"`: reading what a request to a worker brings: `c.bind()`, `c.form()`, `c.request` and the like. */
import { platform } from "#platform"
import * as body from "../../lib/body.ts"

platform.features.body ??= body

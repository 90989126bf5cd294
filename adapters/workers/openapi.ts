/** `import "fw/workers/openapi"`: `app.openapi()` in a worker. */
import { platform } from "#platform"
import * as openapi from "../../lib/document.ts"

platform.features.openapi ??= openapi

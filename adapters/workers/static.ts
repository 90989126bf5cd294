/** `import "fw/workers/static"`: `app.static()` and the static directory in a worker, out of its asset binding. */
import { platform } from "#platform"
import { staticFeature } from "../../lib/static-mounts.ts"
import { answerAsset } from "../assets.ts"

platform.features.static ??= staticFeature(() => answerAsset)

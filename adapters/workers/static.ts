/** `import "fw/workers/static"`: `app.static()` and the static directory in a worker, out of its asset binding. */
import { platform } from "#platform"
import { StaticFiles } from "../../lib/static-mounts.ts"
import { answerAsset } from "../assets.ts"

const files = () => answerAsset
platform.features.static ??= { files, makeMounts: () => new StaticFiles(files) }

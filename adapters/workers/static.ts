/** `import "fw/workers/static"`: `app.static()` and the static directory in a worker, out of its asset binding. */
import { platform } from "#platform"
import { FwError } from "../../lib/errors.ts"
import { staticFeature } from "../../lib/static-mounts.ts"
import { answerAsset } from "../assets.ts"

platform.features.static ??= staticFeature((dir, embed = true) => {
  if (embed) return answerAsset
  throw new FwError(
    "platform",
    `a worker has no disk to read ${JSON.stringify(dir)} from`,
    "Leave out { embed: false }, or keep such files in the platform's object storage.",
  )
})

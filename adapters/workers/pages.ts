/** `import "fw/workers/pages"`: the pages of what a worker mounts. */
import { platform } from "#platform"
import { pages } from "../../lib/pages.ts"

platform.features.pages ??= pages

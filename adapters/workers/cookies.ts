/** `import "fw/workers/cookies"`: `c.cookie()` and `c.setCookie()` in a worker. */
import { platform } from "#platform"
import * as cookies from "../../lib/cookies.ts"

platform.features.cookies ??= cookies

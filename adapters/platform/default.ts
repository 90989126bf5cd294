/** `#platform` for a runtime that none of the others fits. `app.fetch` works; what needs a disk or a socket says so. */
import { answerRequest } from "../../lib/answer-request.ts"
import type { Platform } from "../../lib/platform.ts"
import { base } from "./base.ts"

/** The side of the core's one door for any other runtime. */
export const platform: Platform = { ...base, fetch: answerRequest }

/**
 * `#platform` on all other runtimes. `app.fetch` works there. Functions that need a disk or a socket throw an error.
 */
import { answerRequest } from "../../lib/answer-request.ts"
import type { Platform } from "../../lib/platform.ts"
import { basePlatform } from "./base.ts"

/** The platform of all other runtimes. */
export const platform: Platform = { ...basePlatform, fetch: answerRequest }

/** `#platform` on workers: no disk, and no server of its own. */
import type { Platform } from "../lib/platform.ts"
import { base } from "./platform.base.ts"
import { answerWorker } from "./worker-answer.ts"

/** The workers' side of the core's one door. */
export const platform: Platform = { ...base, fetch: answerWorker }

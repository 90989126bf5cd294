/** `#platform` on workers: no disk, no server of its own, and of the features those that the worker imports. */
import type { Platform } from "../lib/platform.ts"
import { base } from "./platform.base.ts"
import { answerWorker } from "./worker-answer.ts"

/** The workers' side of the core's one door. */
export const platform: Platform = { ...base, fetch: answerWorker }

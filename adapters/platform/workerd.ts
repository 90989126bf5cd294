/** `#platform` on workers: no disk, and no server of its own. */
import type { Platform } from "../../lib/platform.ts"
import { answerWorker } from "../workerd/answer.ts"
import { base } from "./base.ts"

/** The workers' side of the core's one door. */
export const platform: Platform = { ...base, fetch: answerWorker }

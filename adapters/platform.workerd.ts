/** `#platform` on workers: no disk, no server of its own, and of the features those that the worker imports. */
import type { Platform } from "../lib/platform.ts"
import { platform as none } from "./platform.default.ts"
import { answerWorker, type ExecutionContext } from "./workers.ts"

/** The workers' side of the core's one door. */
export const platform: Platform = {
  ...none,
  fetch: (app, request, around) => answerWorker(app, request, ...(around as [object, ExecutionContext?])),
}

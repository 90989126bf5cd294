/** Takes the place of the part `logger` in a bundle that leaves it out. */
import { createLeftOut } from "./left-out.ts"
import type * as part from "./logger.ts"

export const createLog: typeof part.createLog = /* @__PURE__ */ createLeftOut("logger")
export const createRequestLogger: typeof part.createRequestLogger = /* @__PURE__ */ createLeftOut("logger")

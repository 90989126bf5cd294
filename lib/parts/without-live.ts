/** Stands for the part `live` in a bundle that leaves it out. */
import { leftOut } from "./left-out.ts"
import type * as part from "./live.ts"

export const openEvents: typeof part.openEvents = /* @__PURE__ */ leftOut("live")
export const socketRoute: typeof part.socketRoute = /* @__PURE__ */ leftOut("live")

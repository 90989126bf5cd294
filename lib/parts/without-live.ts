/** Takes the place of the part `live` in a bundle that leaves it out. */
import { createLeftOut } from "./left-out.ts"
import type * as part from "./live.ts"

export const openEvents: typeof part.openEvents = /* @__PURE__ */ createLeftOut("live")
export const createSocketRoute: typeof part.createSocketRoute = /* @__PURE__ */ createLeftOut("live")

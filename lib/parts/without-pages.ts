/** Takes the place of the part `pages` in a bundle that leaves it out. */
import { createLeftOut } from "./left-out.ts"
import type * as part from "./pages.ts"

export const answerPage: typeof part.answerPage = /* @__PURE__ */ createLeftOut("pages")
export const createPages: typeof part.createPages = /* @__PURE__ */ createLeftOut("pages")

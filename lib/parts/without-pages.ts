/** Stands for the part `pages` in a bundle that leaves it out. */
import { leftOut } from "./left-out.ts"
import type * as part from "./pages.ts"

export const answerPage: typeof part.answerPage = /* @__PURE__ */ leftOut("pages")
export const pagesOf: typeof part.pagesOf = /* @__PURE__ */ leftOut("pages")

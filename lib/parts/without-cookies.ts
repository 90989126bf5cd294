/** Takes the place of the part `cookies` in a bundle that leaves it out. */

import type * as part from "./cookies.ts"
import { createLeftOut } from "./left-out.ts"

export const addFlash: typeof part.addFlash = /* @__PURE__ */ createLeftOut("cookies")
export const readCookie: typeof part.readCookie = /* @__PURE__ */ createLeftOut("cookies")
export const signCookie: typeof part.signCookie = /* @__PURE__ */ createLeftOut("cookies")
export const takeFlashes: typeof part.takeFlashes = /* @__PURE__ */ createLeftOut("cookies")
export const verifyCookie: typeof part.verifyCookie = /* @__PURE__ */ createLeftOut("cookies")
export const writeCookie: typeof part.writeCookie = /* @__PURE__ */ createLeftOut("cookies")

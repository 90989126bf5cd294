/** Takes the place of the part `forms` in a bundle that leaves it out. */

import type * as part from "./forms.ts"
import { createLeftOut } from "./left-out.ts"

export const bindForm: typeof part.bindForm = /* @__PURE__ */ createLeftOut("forms")
export const bindQuery: typeof part.bindQuery = /* @__PURE__ */ createLeftOut("forms")
export const parseForm: typeof part.parseForm = /* @__PURE__ */ createLeftOut("forms")
export const readFormParts: typeof part.readFormParts = /* @__PURE__ */ createLeftOut("forms")
export const readForm: typeof part.readForm = /* @__PURE__ */ createLeftOut("forms")

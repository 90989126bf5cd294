/** Stands for the part `forms` in a bundle that leaves it out. */

import type * as part from "./forms.ts"
import { leftOut } from "./left-out.ts"

export const formMethods: typeof part.formMethods = /* @__PURE__ */ leftOut("forms")
export const parseForm: typeof part.parseForm = /* @__PURE__ */ leftOut("forms")

/** Errors about the options of middleware. */
import { faultsOf } from "../catalogue.ts"
import { middlewareMessages } from "../messages/middleware.ts"

declare const FW_MESSAGES: boolean

/** Makes the error of a name in the catalogue. */
export const middlewareFault = /* @__PURE__ */ faultsOf(
  typeof FW_MESSAGES === "undefined" || FW_MESSAGES ? middlewareMessages : undefined,
)

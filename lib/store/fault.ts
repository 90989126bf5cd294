/** Errors of stores. */
import { faultsOf } from "../catalogue.ts"
import { storeMessages } from "../messages/store.ts"

declare const FW_MESSAGES: boolean

/** Makes the error of a name in the catalogue. */
export const storeFault = /* @__PURE__ */ faultsOf(
  typeof FW_MESSAGES === "undefined" || FW_MESSAGES ? storeMessages : undefined,
)

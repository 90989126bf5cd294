/** Errors about the files of the route directory. */
import { faultsOf } from "../catalogue.ts"
import { scanMessages } from "../messages/scan.ts"

declare const FW_MESSAGES: boolean

/** Makes the error of a name in the catalogue. */
export const scanFault = /* @__PURE__ */ faultsOf(
  typeof FW_MESSAGES === "undefined" || FW_MESSAGES ? scanMessages : undefined,
)

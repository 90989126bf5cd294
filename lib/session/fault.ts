/** Errors about sessions. */
import { faultsOf } from "../catalogue.ts"
import { sessionMessages } from "../messages/session.ts"

declare const FW_MESSAGES: boolean

/** Makes the error of a name in the catalogue. */
export const sessionFault = /* @__PURE__ */ faultsOf(
  typeof FW_MESSAGES === "undefined" || FW_MESSAGES ? sessionMessages : undefined,
)

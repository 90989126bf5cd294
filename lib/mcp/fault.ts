/** Errors about the options of `mcp()`. */
import { faultsOf } from "../catalogue.ts"
import { mcpMessages } from "../messages/mcp.ts"

declare const FW_MESSAGES: boolean

/** Makes the error of a name in the catalogue. */
export const mcpFault = /* @__PURE__ */ faultsOf(
  typeof FW_MESSAGES === "undefined" || FW_MESSAGES ? mcpMessages : undefined,
)

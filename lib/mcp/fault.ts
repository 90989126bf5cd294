/** Errors about the options of `mcp()`. */
import { createFaults } from "../errors/catalogue.ts"
import { mcpMessages } from "../messages/mcp.ts"

/** Makes the error of a name in the catalogue. */
export const mcpFault = /* @__PURE__ */ createFaults(mcpMessages)

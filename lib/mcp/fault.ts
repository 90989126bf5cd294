/** Errors about the options of `mcp()`. */
import { createFaults } from "../errors/catalogue.ts"
import { mcpMessages } from "../messages/mcp.ts"

/** Makes an error from the catalogue, by the name of its message. */
export const mcpFault = /* @__PURE__ */ createFaults(mcpMessages)

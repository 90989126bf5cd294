/** Errors about the options of middleware. */
import { middlewareMessages } from "#parts/messages"
import { createFaults } from "../errors/catalogue.ts"

/** Makes the error of a name in the catalogue. */
export const middlewareFault = /* @__PURE__ */ createFaults(middlewareMessages)

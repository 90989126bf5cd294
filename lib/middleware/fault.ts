/** Errors about the options of middleware. */
import { middlewareMessages } from "#parts/messages"
import { createFaults } from "../errors/catalogue.ts"

/** Makes an error from the catalogue, by the name of its message. */
export const middlewareFault = /* @__PURE__ */ createFaults(middlewareMessages)

/** Errors of stores. */
import { createFaults } from "../errors/catalogue.ts"
import { storeMessages } from "../messages/store.ts"

/** Makes an error from the catalogue, by the name of its message. */
export const storeFault = /* @__PURE__ */ createFaults(storeMessages)

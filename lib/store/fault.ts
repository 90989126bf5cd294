/** Errors of stores. */
import { createFaults } from "../errors/catalogue.ts"
import { storeMessages } from "../messages/store.ts"

/** Makes the error of a name in the catalogue. */
export const storeFault = /* @__PURE__ */ createFaults(storeMessages)

/** Errors of stores. */
import { faultsOf } from "../catalogue.ts"
import { storeMessages } from "../messages/store.ts"

/** Makes the error of a name in the catalogue. */
export const storeFault = /* @__PURE__ */ faultsOf(storeMessages)

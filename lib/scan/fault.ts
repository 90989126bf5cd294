/** Errors about the files of the route directory. */
import { faultsOf } from "../catalogue.ts"
import { scanMessages } from "../messages/scan.ts"

/** Makes the error of a name in the catalogue. */
export const scanFault = /* @__PURE__ */ faultsOf(scanMessages)

/** Errors about the files of the route directory. */
import { createFaults } from "../errors/catalogue.ts"
import { scanMessages } from "../messages/scan.ts"

/** Makes the error of a name in the catalogue. */
export const scanFault = /* @__PURE__ */ createFaults(scanMessages)

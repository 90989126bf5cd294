/** Errors about the files of the route directory. */
import { createFaults } from "../errors/catalogue.ts"
import { scanMessages } from "../messages/scan.ts"

/** Makes an error from the catalogue, by the name of its message. */
export const scanFault = /* @__PURE__ */ createFaults(scanMessages)

/** Errors of `fw/files`. */
import { createFaults } from "../errors/catalogue.ts"
import { filesMessages } from "../messages/files.ts"

/** Makes an error from the catalogue, by the name of its message. */
export const filesFault = /* @__PURE__ */ createFaults(filesMessages)

/** Errors about sessions. */
import { createFaults } from "../errors/catalogue.ts"
import { sessionMessages } from "../messages/session.ts"

/** Makes the error of a name in the catalogue. */
export const sessionFault = /* @__PURE__ */ createFaults(sessionMessages)

/** Errors about sessions. */
import { createFaults } from "../errors/catalogue.ts"
import { sessionMessages } from "../messages/session.ts"

/** Makes an error from the catalogue, by the name of its message. */
export const sessionFault = /* @__PURE__ */ createFaults(sessionMessages)

/** Errors of `fw/db`. */
import { createFaults } from "../../lib/errors/catalogue.ts"
import { databaseMessages } from "../../lib/messages/database.ts"

/** Makes an error from the catalogue, by the name of its message. */
export const databaseFault = /* @__PURE__ */ createFaults(databaseMessages)

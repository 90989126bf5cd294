/** Errors about servers and hosts. They are apart from the core's, because a worker has no server of its own. */
import { createFaults } from "../errors/catalogue.ts"
import { hostMessages } from "../messages/hosts.ts"

/** Makes an error from the catalogue, by the name of its message. */
export const hostFault = /* @__PURE__ */ createFaults(hostMessages)

/**
 * Creates errors about servers and hosts. They are in a module of their own, because a worker has no server and leaves
 * them out.
 */
import { createFaults } from "../errors/catalogue.ts"
import { hostMessages } from "../messages/hosts.ts"

/** Makes an error from the catalogue, by the name of its message. */
export const hostFault = /* @__PURE__ */ createFaults(hostMessages)

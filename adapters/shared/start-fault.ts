/** Errors about programs that `fw build` makes, and about the certificates of servers. */
import { createFaults } from "../../lib/errors/catalogue.ts"
import { startMessages } from "../../lib/messages/start.ts"

/** Makes an error from the catalogue, by the name of its message. */
export const startFault = /* @__PURE__ */ createFaults(startMessages)

/** Returns why a file cannot be read, without its path: somebody may have written a secret in its place. */
export function describeReadError({ code }: { readonly code?: string }): string {
  return { ENOENT: "there is none", EACCES: "this user may not", EISDIR: "it is a directory" }[`${code}`] ?? `${code}`
}

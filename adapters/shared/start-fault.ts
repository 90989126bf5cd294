/** Makes errors about programs that `fw build` has made, and about the certificates of servers. */
import { createFaults } from "../../lib/errors/catalogue.ts"
import { startMessages } from "../../lib/messages/start.ts"

/** Makes an error from the catalogue, by the name of its message. */
export const startFault = /* @__PURE__ */ createFaults(startMessages)

const reasonsByCode: Readonly<Record<string, string>> = {
  EACCES: "this user may not",
  EEXIST: "it is a file",
  EISDIR: "it is a directory",
  ENOENT: "there is none",
  ENOTDIR: "it is below a file",
}

/**
 * Returns why a file or a directory cannot be used. Its path is not shown, because somebody may have written a secret
 * in its place.
 */
export function describeFileError({ code }: { readonly code?: string }): string {
  return reasonsByCode[`${code}`] ?? `${code}`
}

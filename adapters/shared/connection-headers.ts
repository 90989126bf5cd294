/** Header fields of a connection and of how a message is framed, which belong to the server (RFC 9110 §7.6.1). */
export const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

/** Returns true for a header that only the server sets. */
export function isOfConnection({ name }: { readonly name: string }): boolean {
  return connectionHeaders.has(name.toLowerCase())
}

/** Checks the data that a program sends. */
import { platform } from "#platform"
import { misuse } from "../errors/fault.ts"
import type { BodyData, Exchange } from "../exchange.ts"
import { checkScheme } from "../request/headers.ts"
import { checkHead, isPreparedCopy } from "./foreign-response.ts"
import { findAcceptedUpgrade } from "./upgrade.ts"

/** A method of the context that creates a response from the program's data. */
export type SendingMethod = "json" | "html" | "xml" | "string" | "blob"

/** Returns the argument of `c.blob()` as a body; undefined if it is of a type that cannot be sent. */
export function toBodyData(data: unknown): BodyData | undefined {
  if (data instanceof Blob) return data.stream()
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return typeof data === "string" || data instanceof ReadableStream ? data : undefined
}

/** Checks a Response that the program returned. @throws TypeError if it cannot be sent. */
export function checkSendable(response: Response, exchange: Pick<Exchange, "header">): void {
  if (!isPreparedCopy(response)) platform.keepContentType?.(response)
  const { status } = response
  if (status !== 101) checkHead(response)
  else if (!isOwnedUpgrade(response, exchange)) throw misuse("response.switching")
  if (status >= 300 && status < 400) checkScheme(response.headers.get("location") ?? "")
  if (response.bodyUsed || response.body?.locked) throw misuse("response.used")
}

/**
 * Returns true if something handles the connection after this 101: a socket route, or a WebSocket that the program
 * opened through its runtime. In the second case the client must have asked for an upgrade (RFC 9110 §15.2.2).
 */
function isOwnedUpgrade(response: Response, exchange: Pick<Exchange, "header">): boolean {
  if (findAcceptedUpgrade(response) || (response as { webSocket?: unknown }).webSocket) return true
  return response.headers.has("upgrade") && exchange.header("upgrade") !== ""
}

/** Checks the data that a program sends. */
import { platform } from "#platform"
import type { BodyData } from "../exchange.ts"
import { misuse } from "../fault.ts"
import { checkScheme } from "../request/headers.ts"

/** A method that sends its data. */
export type SendingMethod = "json" | "html" | "xml" | "string" | "blob"

/** Returns the argument of `c.blob()` as a body; undefined if it cannot be sent. */
export function bodyOf(data: unknown): BodyData | undefined {
  if (data instanceof Blob) return data.stream()
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return typeof data === "string" || data instanceof ReadableStream ? data : undefined
}

/** Checks a Response. @throws TypeError if it cannot be sent. */
export function checkSendable(response: Response): void {
  platform.keepType?.(response)
  if (response.status === 0) throw misuse("response.error")
  if (response.status >= 300 && response.status < 400) checkScheme(response.headers.get("location") ?? "")
  if (response.bodyUsed || response.body?.locked) throw misuse("response.used")
}

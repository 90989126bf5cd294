/** What a program hands over to be sent, checked. Called by the context. */
import { platform } from "#platform"
import type { BodyData } from "../exchange.ts"
import { misuse } from "../fault.ts"

/** A method that sends what it was given. */
export type SendingMethod = "json" | "html" | "xml" | "string" | "blob"

/** What `c.blob()` is given, as a body; undefined for what it cannot send. */
export function bodyOf(data: unknown): BodyData | undefined {
  if (data instanceof Blob) return data.stream()
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return typeof data === "string" || data instanceof ReadableStream ? data : undefined
}

/** @throws TypeError for a Response that cannot be sent. */
export function checkSendable(response: Response): void {
  platform.keepType?.(response)
  if (response.status === 0) throw misuse("response.error")
  if (response.bodyUsed || response.body?.locked) throw misuse("response.used")
}

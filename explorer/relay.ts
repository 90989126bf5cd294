/** Sends requests through the command, because a page must not call servers of other origins. */
import type { OutgoingRequest } from "./outgoing-request.ts"

/** A response whose body is not read yet. */
export interface IncomingResponse {
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: ReadableStream<Uint8Array> | null
  /** Milliseconds until the headers of the response arrived. */
  readonly durationMs: number
}

/** Sends a request. @throws Error with the reason: the server does not run, or requests to it are not allowed. */
export async function relayRequest({ body, ...head }: OutgoingRequest, signal: AbortSignal): Promise<IncomingResponse> {
  const startTime = performance.now()
  const headers = { "fw-request": encodeJSON(head), "content-type": "application/octet-stream" }
  const response = await fetch("/docs/send", { method: "POST", headers, body, signal }).catch((error) => {
    if (signal.aborted) throw error
    throw new Error("fw openapi serve does not respond. Is it still running?")
  })
  const head64 = response.headers.get("fw-response")
  if (head64 === null) {
    const answer = await response.json().catch(() => ({}))
    throw new Error(answer.message ?? `fw openapi serve responded with status ${response.status}`)
  }
  return {
    ...decodeJSON<Omit<IncomingResponse, "body" | "durationMs">>(head64),
    body: response.body,
    durationMs: performance.now() - startTime,
  }
}

/** Encodes JSON as ASCII, so that it can be in a header. */
function encodeJSON(value: unknown): string {
  return encodeURIComponent(JSON.stringify(value))
}

function decodeJSON<T>(text: string): T {
  return JSON.parse(decodeURIComponent(text)) as T
}

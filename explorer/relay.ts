/** Sends requests through the command, because the page may not call servers of other origins. */
import type { Outgoing } from "./outgoing.ts"

/** A response whose body is not read yet. */
export interface Incoming {
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: ReadableStream<Uint8Array> | null
  /** Time until the headers of the response arrived, in milliseconds. */
  readonly took: number
}

/** Sends a request. @throws Error with the reason: the server is down, or requests to it are not allowed. */
export async function send({ body, ...head }: Outgoing, signal: AbortSignal): Promise<Incoming> {
  const began = performance.now()
  const headers = { "fw-request": encoded(head), "content-type": "application/octet-stream" }
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
    ...decoded<Omit<Incoming, "body" | "took">>(head64),
    body: response.body,
    took: performance.now() - began,
  }
}

/** Encodes JSON for a header, in ASCII. */
function encoded(value: unknown): string {
  return encodeURIComponent(JSON.stringify(value))
}

function decoded<T>(text: string): T {
  return JSON.parse(decodeURIComponent(text)) as T
}

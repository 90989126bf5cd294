/** Sends a request by way of the command, which reaches the server that the page may not: no other origin is ever asked. */
import type { Outgoing } from "./outgoing.ts"

/** What came back; the body is still to be read. */
export interface Incoming {
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: ReadableStream<Uint8Array> | null
  /** Milliseconds until the head of the answer was there. */
  readonly took: number
}

/** @throws Error with what went wrong: no server there, or none that may be asked. */
export async function send({ body, ...head }: Outgoing, signal: AbortSignal): Promise<Incoming> {
  const began = performance.now()
  const headers = { "fw-request": encoded(head), "content-type": "application/octet-stream" }
  const response = await fetch("/docs/send", { method: "POST", headers, body, signal }).catch((error) => {
    if (signal.aborted) throw error
    throw new Error("fw openapi serve does not answer. Is it still running?")
  })
  const head64 = response.headers.get("fw-response")
  if (head64 === null) {
    const answer = await response.json().catch(() => ({}))
    throw new Error(answer.message ?? `fw openapi serve answered ${response.status}`)
  }
  return {
    ...decoded<Omit<Incoming, "body" | "took">>(head64),
    body: response.body,
    took: performance.now() - began,
  }
}

/** JSON in a header, which takes ASCII alone. */
function encoded(value: unknown): string {
  return encodeURIComponent(JSON.stringify(value))
}

function decoded<T>(text: string): T {
  return JSON.parse(decodeURIComponent(text)) as T
}

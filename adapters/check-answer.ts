/** What no answer can be, where the runtime's own Response would not say so. Called by the adapters of Node, Bun and Deno. */
import type { BodyData } from "../lib/exchange.ts"

/** Statuses that have no body (fetch standard, "null body status"). */
const bodiless = [101, 204, 205, 304]

/**
 * As `new Response()` does, and as the Responses of some runtimes and of the Node adapter do not: what fails on one
 * fails on all.
 *
 * @throws RangeError for a status that an answer cannot have, TypeError for a body where there is none.
 */
export function checkAnswer(status: number, body: BodyData): void {
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new RangeError(`a response's status is 200 to 599, not ${status}`)
  if (body !== null && bodiless.includes(status))
    throw new TypeError(`a response of status ${status} has no body`)
  if (typeof body === "object" && body !== null && "locked" in body && body.locked)
    throw new TypeError("a streamed body is being read already: nobody else can send it")
}

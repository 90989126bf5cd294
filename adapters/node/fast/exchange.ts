/** A node:http request that is read directly from `IncomingMessage`, and answered with stand-ins for a Response. */
import type { HeaderChange } from "../../../lib/answer/caching.ts"
import { type BodyData, isStream } from "../../../lib/exchange.ts"
import { readBody } from "../body.ts"
import { NodeExchange } from "../exchange.ts"
import {
  changeFastHeaders,
  createFastResponse,
  getContents,
  getResponseContent,
  getResponseHeader,
  getResponseSize,
} from "./response.ts"

/** An exchange that creates Headers, streams and a Response only if the program asks for them. */
export class FastExchange extends NodeExchange {
  override header(name: string): string {
    const { incoming } = this
    const value = incoming.headers[name]
    if (typeof value === "string") {
      // Without `joinDuplicateHeaders`, `headers` drops repeated lines of some headers, such as Authorization.
      // `headersDistinct` keeps all lines, as WHATWG Headers do.
      return this.hasJoinedHeaders || !singleValueHeaders.has(name)
        ? value
        : (incoming.headersDistinct[name]?.join(", ") ?? value)
    }
    // Only lists are headers. Other values are inherited from the prototype: `constructor` is also a valid header name.
    return Array.isArray(value) ? value.join(", ") : ""
  }

  override read(limit: number): Promise<Uint8Array> {
    this.isBodyTouched = true
    return this.hasBody ? readBody(this.incoming, limit, this) : Promise.resolve(new Uint8Array())
  }

  override respond(status: number, headers: Record<string, string>, body: BodyData): Response {
    return createFastResponse(status, headers, body)
  }

  override addHeaders(response: Response, changes: readonly HeaderChange[]): Response {
    return changeFastHeaders(response, changes)
  }

  override getSize(response: Response): number | null {
    return getResponseSize(response)
  }

  omitsBody(response: Response): boolean {
    const contents = getContents(response)
    return contents !== null && !isStream(contents.body)
  }

  override getResponseHeader(response: Response, name: string): string {
    return getResponseHeader(response, name)
  }

  override getContent(response: Response): string | Uint8Array | null {
    return getResponseContent(response)
  }
}

/** Headers of which Node keeps only the first line (node:http, `message.headers`). */
const singleValueHeaders = new Set(
  (
    "age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since " +
    "last-modified location max-forwards proxy-authorization referer retry-after server user-agent"
  ).split(" "),
)

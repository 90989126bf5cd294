/** The responses of the context's methods on Bun and Deno. */

import { connectionHeaders } from "../../lib/answer/connection-headers.ts"
import type { BodyData, ResponseBody } from "../../lib/exchange.ts"

/** The accessor that every Response inherits. */
const headersOf = Object.getOwnPropertyDescriptor(Response.prototype, "headers")?.get as (
  this: Response,
) => Headers

/** Responses whose headers may have one of the connection. */
const searched = new WeakSet<Response>()

/** A response that notices if the program looks at its headers, as it may change them then. */
export class OwnResponse extends Response {
  static {
    // TypeScript has a property there, which an accessor cannot override.
    Object.defineProperty(OwnResponse.prototype, "headers", {
      configurable: true,
      get(this: OwnResponse) {
        searched.add(this)
        return headersOf.call(this)
      },
    })
  }
}

/**
 * Responses with status 200 and a type as their only header. A runtime copies the headers of a Response in half the time
 * that it takes to check and convert those of an object.
 */
const templates = new Map<string, Response>()

/** Programs may make types up, so not all of them are kept. */
const most = 32

/** Creates a response. `headers` has names in lower case. */
export function makeOwn(status: number, headers: Record<string, string>, body: BodyData): OwnResponse {
  const type = headers["content-type"]
  const isPlain = status === 200 && type !== undefined && hasOne(headers)
  const init = (isPlain && templateOf(type)) || { status, headers }
  const made = new OwnResponse(body as ResponseBody | null, init)
  if (!isPlain && Object.keys(headers).some((name) => connectionHeaders.has(name))) searched.add(made)
  return made
}

/** Returns true if the headers of a response have none of the connection, so that they need not be searched. */
export function isUnsearched(response: OwnResponse): boolean {
  return !searched.has(response)
}

/** Returns the headers, for changes that have no header of the connection. */
export function unshownHeaders(response: OwnResponse): Headers {
  return headersOf.call(response)
}

function templateOf(type: string): Response | undefined {
  const known = templates.get(type)
  if (known || templates.size >= most) return known
  const made = new Response(null, { headers: { "content-type": type } })
  templates.set(type, made)
  return made
}

function hasOne(headers: Record<string, string>): boolean {
  let count = 0
  for (const _ in headers) count++
  return count === 1
}

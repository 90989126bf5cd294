/** The responses of the context's methods on Bun and Deno. */

import { connectionHeaders } from "../../lib/answer/connection-headers.ts"
import { isStandIn } from "../../lib/answer/stand-in.ts"
import type { BodyData, ResponseBody } from "../../lib/exchange.ts"

/** The accessor that every Response inherits. */
const readHeaders = Object.getOwnPropertyDescriptor(Response.prototype, "headers")?.get as (this: Response) => Headers

/** Responses whose headers may have one of the connection. */
const searchedResponses = new WeakSet<Response>()

/** A response that notices if the program looks at its headers, because it may then change them. */
export class OwnResponse extends Response {
  static {
    Object.defineProperty(OwnResponse.prototype, isStandIn, { value: true })
    // TypeScript has a property there, which an accessor cannot override.
    Object.defineProperty(OwnResponse.prototype, "headers", {
      configurable: true,
      get(this: OwnResponse) {
        searchedResponses.add(this)
        return readHeaders.call(this)
      },
    })
  }
}

/**
 * Responses with status 200 and a type as their only header. A runtime copies the headers of a Response in half the time
 * that it takes to check and convert those of an object.
 */
const templatesByType = new Map<string, Response>()

/** Programs may make types up, so not all of them are kept. */
const maxTemplates = 32

/** Creates a response. `headers` has names in lower case. */
export function createOwnResponse(status: number, headers: Record<string, string>, body: BodyData): OwnResponse {
  const type = headers["content-type"]
  const isPlain = status === 200 && type !== undefined && hasOneHeader(headers)
  const init = (isPlain && getTemplate(type)) || { status, headers }
  const ownResponse = new OwnResponse(body as ResponseBody | null, init)
  if (!isPlain && Object.keys(headers).some((name) => connectionHeaders.has(name))) searchedResponses.add(ownResponse)
  return ownResponse
}

/** Returns true if the headers of a response have none of the connection, so that they need not be searched. */
export function isUnsearched(response: OwnResponse): boolean {
  return !searchedResponses.has(response)
}

/** Returns the headers for changes that add no header of the connection. */
export function peekHeaders(response: OwnResponse): Headers {
  return readHeaders.call(response)
}

function getTemplate(type: string): Response | undefined {
  const known = templatesByType.get(type)
  if (known || templatesByType.size >= maxTemplates) return known
  const template = new Response(null, { headers: { "content-type": type } })
  templatesByType.set(type, template)
  return template
}

function hasOneHeader(headers: Record<string, string>): boolean {
  let count = 0
  for (const _ in headers) count++
  return count === 1
}

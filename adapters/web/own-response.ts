/** The class of the responses that the context's methods create on Bun and Deno. */

import { connectionHeaders } from "../../lib/answer/connection-headers.ts"
import { isStandIn } from "../../lib/answer/stand-in.ts"
import type { BodyData, ResponseBody } from "../../lib/exchange.ts"

/** The getter of `headers` that every Response inherits. */
const readHeaders = Object.getOwnPropertyDescriptor(Response.prototype, "headers")?.get as (this: Response) => Headers

/** Responses whose headers the program has read and may have changed. They may contain headers of the connection. */
const responsesToCheck = new WeakSet<Response>()

/** A response that records whether the program has read its headers, because it may then have changed them. */
export class OwnResponse extends Response {
  static {
    Object.defineProperty(OwnResponse.prototype, isStandIn, { value: true })
    // TypeScript declares `headers` as a property, so it cannot be overridden with a getter in the class.
    Object.defineProperty(OwnResponse.prototype, "headers", {
      configurable: true,
      get(this: OwnResponse) {
        responsesToCheck.add(this)
        return readHeaders.call(this)
      },
    })
  }
}

/**
 * Responses with status 200 and only a content type, by that type. Runtimes copy the headers of a Response twice as
 * fast as they check and convert those in an object.
 */
const templatesByType = new Map<string, Response>()

/** Maximum number of stored responses, because programs may invent types. */
const maxTemplates = 32

/** The type for which no response is copied: Deno is faster with an object that has only this type. */
const fastType = "Deno" in globalThis ? "application/json" : undefined

/** Creates a response. `headers` has names in lower case. */
export function createOwnResponse(status: number, headers: Record<string, string>, body: BodyData): OwnResponse {
  const type = headers["content-type"]
  const hasOnlyType = status === 200 && type !== undefined && hasOneHeader(headers)
  const init = (hasOnlyType && type !== fastType && getTemplate(type)) || { status, headers }
  const ownResponse = new OwnResponse(body as ResponseBody | null, init)
  if (!hasOnlyType && Object.keys(headers).some((name) => connectionHeaders.has(name)))
    responsesToCheck.add(ownResponse)
  return ownResponse
}

/** Returns false if a response certainly has no headers of the connection. */
export function mayHaveConnectionHeaders(response: OwnResponse): boolean {
  return responsesToCheck.has(response)
}

/**
 * Returns the headers without recording that they were read. Use it only to add headers that are not about the
 * connection.
 */
export function peekHeaders(response: OwnResponse): Headers {
  return readHeaders.call(response)
}

function getTemplate(type: string): Response | undefined {
  const storedTemplate = templatesByType.get(type)
  if (storedTemplate || templatesByType.size >= maxTemplates) return storedTemplate
  const template = new Response(null, { headers: { "content-type": type } })
  templatesByType.set(type, template)
  return template
}

function hasOneHeader(headers: Record<string, string>): boolean {
  let count = 0
  for (const _ in headers) count++
  return count === 1
}

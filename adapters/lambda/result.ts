/**
 * Converts a Response to the result of a Lambda function. Text is passed as it is, other bodies in Base64, and cookies
 * in the format of the event.
 */
import { STATUS_CODES } from "node:http"
import { listUnsentHeaders } from "../../lib/answer/connection-headers.ts"
import { isJSONType, parseMediaType, readParameterized } from "../../lib/request/header-grammar.ts"
import type { LambdaEvent } from "./event.ts"

/**
 * The result of a handler, in the format that the event requires.
 *
 * @example
 * const { statusCode, body }: LambdaResult = await lambdaHandler(app)({ version: "2.0", rawPath: "/", requestContext: { http: { method: "GET" } } })
 * statusCode // → 404
 */
export interface LambdaResult {
  readonly statusCode: number
  /** The status with its reason. Only for load balancers. */
  readonly statusDescription?: string
  readonly headers?: Readonly<Record<string, string>>
  /** For payload 1.0, and for load balancers whose events have such lists too. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>
  /** For payload 2.0. */
  readonly cookies?: readonly string[]
  readonly body: string
  readonly isBase64Encoded: boolean
}

/**
 * Returns the headers of a response, without cookies and without headers of the connection, which a Lambda function
 * cannot control.
 */
export function toSentHeaders(answer: Response): Record<string, string> {
  const unsentNames = ["content-length", "set-cookie", ...listUnsentHeaders(answer)]
  return Object.fromEntries([...answer.headers].filter(([name]) => !unsentNames.includes(name)))
}

/** Reads a whole response. @throws the errors of its stream. */
export async function toLambdaResult(answer: Response, event: LambdaEvent): Promise<LambdaResult> {
  const { status: statusCode } = answer
  const content = encodeBody(answer, new Uint8Array(await answer.arrayBuffer()))
  const headers = toSentHeaders(answer)
  const cookies = answer.headers.getSetCookie()
  if (event.version === "2.0") return { statusCode, headers, cookies, ...content }
  const description = event.requestContext?.elb && {
    statusDescription: `${statusCode} ${STATUS_CODES[statusCode] ?? "Unknown"}`,
  }
  // A load balancer whose event has single values accepts no lists in the result.
  if (event.requestContext?.elb && !event.multiValueHeaders)
    return { statusCode, ...description, headers: { ...headers, ...spellCookieNames(cookies) }, ...content }
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
  const multiValueHeaders = cookies.length > 0 ? { ...lists, "set-cookie": cookies } : lists
  return { statusCode, ...description, multiValueHeaders, ...content }
}

/**
 * Returns cookies, each under another capitalization of the name `set-cookie`. In an object with single values, this is
 * the only way to send several of them.
 */
function spellCookieNames(cookies: readonly string[]): Record<string, string> {
  return Object.fromEntries(cookies.map((cookie, index) => [capitalizeByBits("set-cookie", index), cookie]))
}

/** Returns a header's name in which a letter is a capital if its bit is set in a number. */
function capitalizeByBits(name: string, bits: number): string {
  let bitsLeft = bits
  return name.replace(/[a-z]/g, (letter) => {
    const casedLetter = bitsLeft & 1 ? letter.toUpperCase() : letter
    bitsLeft >>= 1
    return casedLetter
  })
}

const utf8Decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Returns a body as text if it is valid UTF-8 text, otherwise in Base64. */
function encodeBody({ headers }: Response, bytes: Uint8Array): Pick<LambdaResult, "body" | "isBase64Encoded"> {
  if (bytes.byteLength === 0) return { body: "", isBase64Encoded: false }
  if (!headers.has("content-encoding") && isTextType(headers.get("content-type") ?? "")) {
    try {
      return { body: utf8Decoder.decode(bytes), isBase64Encoded: false }
    } catch {
      // The type says text, but the bytes are not UTF-8.
    }
  }
  return { body: Buffer.from(bytes).toString("base64"), isBase64Encoded: true }
}

/** Returns true for a media type of text. Whether the bytes are UTF-8 is not checked here. */
function isTextType(type: string): boolean {
  const media = parseMediaType(type)
  const { parameters } = readParameterized(type)
  if ((parameters.get("charset") ?? "utf-8").toLowerCase() !== "utf-8") return false
  return (
    media.startsWith("text/") ||
    isJSONType(type) ||
    /^application\/(?:javascript|xml|x-www-form-urlencoded|x-ndjson|graphql|.*\+xml)$|^image\/svg\+xml$/.test(media)
  )
}

/** The reference of the errors that answer a client: the `error` field of a body, by status. */
import { HttpError } from "../../../lib/errors.ts"

/** The code of an answer's `error` field. */
export interface HttpEntry {
  readonly code: string
  readonly status: number
  /** When fw itself answers with it. */
  readonly about: string
}

const free = "fw does not answer with it; it is for your program."

/** When fw answers with a status. */
const about: Readonly<Record<number, string>> = {
  400: "The request cannot be read: a malformed path, header or body, or a body, a form or a query that does not fit the schema of `c.bind()`, `c.bindForm()` or `c.bindQuery()`. Then `issues` lists what does not fit.",
  401: "`basicAuth()`, `bearerAuth()` or `jwt()` refuses the request. `WWW-Authenticate` says how to sign in.",
  403: "`csrf()` or `ipRestriction()` refuses the request, or a page of another origin asks for a WebSocket.",
  404: "No route, page or file answers the path. A route whose handler throws `notFound()` looks the same.",
  405: "The path exists, but not for this method. `Allow` lists the methods.",
  406: "The client accepts no encoding in which a static file is stored.",
  408: "The request did not arrive in time.",
  412: "A condition of the request, such as `If-Match`, does not hold for a static file.",
  413: "The body is larger than `bodyLimit` and was not read by `c.readForm()`, a form has more parts than `formPartLimit`, or a file that `c.parts()` reads is larger than `maxFile`.",
  415: "`c.bind()` reads only JSON, and `c.form()`, `c.bindForm()` and `c.parts()` read only forms. They and `c.text()` decode no `Content-Encoding`, such as gzip, without `bodyLimit(bytes, { decompress: true })`. A part of a form is in base64 or another `Content-Transfer-Encoding`. A file for `c.parts()` has a type that is not in `types`.",
  416: "`Range` asks for a part that a static file does not have.",
  417: "`Expect` has another value than `100-continue`.",
  426: "The path is a WebSocket's, or the version of the protocol is not 13. `Upgrade` names the protocol.",
  429: "`rateLimit()` refuses the request. `Retry-After` says when the next one is allowed.",
  431: "The headers are larger than the server reads.",
  500: "A bug in the program. The answer has no details; the log has all of them.",
  501: "The server does not implement the method or the transfer coding, or takes no WebSocket connections.",
  503: "`timeout()` ended the request, the keys of `jwt()` cannot be fetched, or the OpenAPI document is not available yet.",
  504: "`timeout()` with the status 504 ended the request.",
}

/** The codes of a body's `error` field, by status. */
export const httpEntries: readonly HttpEntry[] = Array.from(
  { length: 200 },
  (_, index) => 400 + index,
).flatMap((status) => {
  const { code } = new HttpError(status, "")
  return code === `http_${status}` ? [] : [{ code, status, about: about[status] ?? free }]
})

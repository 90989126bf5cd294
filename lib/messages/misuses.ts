/**
 * Messages about wrong arguments and results while a request is answered. They are mistakes of the program: a
 * TypeError, which becomes a 500.
 */
import { describeType, formatValue } from "../text.ts"
import type { Messages } from "./message.ts"

export const misuses = {
  status: (value: unknown) => {
    const order = typeof value === "number" ? "" : ". The status comes first, as in c.json(200, data)"
    return [`${formatStatus(value)} is not a status: it is an integer from 200 to 599${order}`]
  },
  json: (value: unknown, status: number, call = "c.json") => [
    `${call}(${status}, …) was given ${describeType(value)}, which JSON cannot represent`,
  ],
  string: (value: unknown, _status?: number) => [`c.string() sends text, not ${describeUnsendable(value)}`],
  html: (value: unknown, _status?: number) => [`c.html() sends text or Html, not ${describeUnsendable(value)}`],
  xml: (value: unknown, _status?: number) => [`c.xml() sends text or Xml, not ${describeUnsendable(value)}`],
  blob: (value: unknown, _status?: number) => [
    `c.blob() sends text, bytes, a Blob or a ReadableStream, not ${describeUnsendable(value)}`,
  ],
  file: (argument: string, value: unknown) => [
    `c.file() takes a directory and the name of a file in it, not ${formatValue(value)} as the ${argument}: write c.file("data/invoices", "7.pdf")`,
  ],
  "file.type": (value: unknown) => [`c.file() takes a type such as "application/pdf", not ${formatValue(value)}`],
  "file.download": (value: unknown) => [
    `c.file() takes true, false or the name of the file as download, not ${value === "" ? "an empty text" : describeType(value)}`,
  ],
  stream: (value: unknown) => [
    `c.stream() sends a ReadableStream or the values of an async generator, not ${describeUnsendable(value)}${suggestCall(value)}`,
  ],
  "stream.piece": (value: unknown) => [
    `a generator for c.stream() yields bytes, text or Html, not ${describeUnsendable(value)}`,
  ],
  bodiless: (status: number) => [
    `an answer of status ${status} has no body: return ${status === 204 ? "c.noContent()" : `new Response(null, { status: ${status} })`}`,
  ],
  fetch: (value: unknown) => [`app.fetch() takes a Request, not ${describeType(value)}`],
  request: (value: unknown) => [
    `app.request() takes a path or a URL, not ${describeType(value)}: write app.request("/users/7")`,
  ],
  wait: (value: unknown) => [`c.waitUntil() takes a promise, not ${describeType(value)}${suggestCall(value)}`],
  "span.name": (value: unknown) => [
    `c.span() takes a name such as "load orders", not ${value === "" ? "an empty text" : describeType(value)}`,
  ],
  "span.run": (value: unknown) => [`c.span() takes a function to run, not ${describeType(value)}${suggestCall(value)}`],
  deferred: (call: string) => [
    `${call} was given markup with a {defer} block, which only a page can complete. Write c.page(200, title, html), or await the value before the markup`,
  ],
  sealed: (call: string) => [
    `${call} was called in a {defer} block, after the headers were sent: call it before the markup`,
  ],
  // Browsers drop a larger cookie without an error.
  "cookie.size": (name: string, maxBytes: number) => [
    `the cookie ${formatValue(name)} has, with its signature, more than the ${maxBytes} bytes that browsers keep`,
  ],
  "cookie.options": (value: unknown) => [
    `c.cookie() takes the options { signed: true }, not ${describeType(value)}: a misspelled option would skip the check of the signature`,
  ],
  "form.await": (field: string) => [
    `${field} was read from a promise, not from a form. Is an await missing? Write const form = await c.readForm(schema)`,
  ],
  "key.unset": (key: string) => [
    `${key} has no value here: no middleware of this route has called its set(c, value). Add the middleware, or read it with find(c), which returns undefined then`,
  ],
  unprepared: (call: string) => [
    `${call} was called without a schema or a validator of its type, so the body is parsed and not checked. Run the program with fw dev, or build it with fw build: in TypeScript, they check c.bind<Task>() against the type. Or pass a schema`,
  ],
  "unprepared.fields": (call: string) => [
    `${call} was called without a schema in a program that fw has not prepared. Run it with fw dev, or build it with fw build: they make a validator of the type. Or pass a schema`,
  ],
  locked: () => ["a streamed body is already being read, so it cannot be sent"],
  "header.name": (name: unknown) => [`${formatValue(name)} is not a valid header name`],
  "header.type": (name: string, value: unknown) => [`the header ${name} takes a string, not ${describeType(value)}`],
  // The value is never shown, because it may be secret.
  "header.value": (name: string) => [
    `the value for the header ${name} contains a line break, a control character or a character beyond U+00FF`,
  ],
  "redirect.status": (status: unknown, example = 'c.redirect(303, "/path")') => [
    `the status of a redirect is 301, 302, 303, 307 or 308, not ${formatStatus(status)}. Write ${example}`,
  ],
  "redirect.scheme": (scheme: string) => [
    `no browser follows a redirect to ${scheme} URLs, so send a path, or a URL of http, https or an app, such as myapp://callback`,
  ],
  "redirect.url": (value: unknown) => [
    `the target of a redirect is a URL object, or a text that is not blank and has no line break, control character, backslash or half of a surrogate pair${typeof value === "string" ? "" : `, not ${describeType(value)}`}`,
  ],
  "response.error": () => ["Response.error() cannot be sent: throw an error instead"],
  "response.reason": () => [
    "the statusText of a returned Response contains a line break, a control character or a character beyond U+00FF",
  ],
  "response.switching": () => [
    "a Response with status 101 was returned, but the client asked for no upgrade, or no connection waits for it: use app.socket()",
  ],
  "response.decoded_part": () => [
    "fetch() has decoded a part (206) of a compressed body, so its Content-Range is wrong now: send Accept-Encoding: identity with a Range",
  ],
  "response.used": () => [
    "the body of a returned Response has already been read: return a new one, or response.clone()",
  ],
  "handler.result": (source: string, value: unknown) => [
    `${source} returned ${value === undefined ? "nothing" : describeType(value)}, not a Response. ${suggestReturn(value)}`,
  ],
  "error.result": (value: unknown) => [
    `app.onError() returned ${value === undefined ? "nothing" : describeType(value)}, not a Response or an HttpError. Throw the error again where fw should answer`,
  ],
  "proxy.result": () => ["the proxy returned no result: return proxy.continue() or another of its actions"],
} satisfies Messages

/** Returns a status as text; for a value that is not a number, the name of its type. */
function formatStatus(value: unknown): string {
  return typeof value === "number" ? String(value) : describeType(value)
}

/** Describes a value that cannot be sent. */
function describeUnsendable(value: unknown): string {
  return value instanceof Promise ? "a promise: write await before it" : describeType(value)
}

/** Returns the advice for a handler that has not returned a Response. */
function suggestReturn(value: unknown): string {
  if (value === undefined) return "Is a return missing?"
  if (typeof value === "function")
    return "Call it. A middleware is passed without () => before it: app.use(rateLimit())."
  return `Write return ${typeof value === "string" ? "c.string(200, text)" : "c.json(200, data), or c.html(200, html)"}.`
}

/** Returns the advice for a function that was passed instead of its result. */
function suggestCall(value: unknown): string {
  return typeof value === "function" ? ": call it" : ""
}

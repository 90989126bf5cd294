/** A context without the data of a request, for an answer that is the same for every client. */
import type { Context } from "../../../lib/context.ts"

/** What a use of a request's data was: its own, a value that a middleware sets, or the address of the site. */
export type ReadKind = "request" | "value" | "site"

/** Receives what was read, and an error with the stack of the call. */
export type ReportRead = (kind: ReadKind, what: string, call: Error) => void

/** The members of a context that an answer cannot depend on, and what they read. */
const requestData: Readonly<Partial<Record<keyof Context, string>>> = {
  header: "a header",
  isHTMX: "a header",
  isJSON: "a header",
  cookie: "a cookie",
  session: "the session",
  flashed: "the messages for a visitor",
  query: "the query",
  queryDefault: "the query",
  queryInt: "the query",
  queryBool: "the query",
  queryAll: "the query",
  bindQuery: "the query",
  search: "the query",
  clientIP: "the client's address",
  request: "the request",
  ...Object.fromEntries(
    ["bind", "text", "bytes", "form", "formValue", "formFile", "bindForm", "readForm", "parts"].map((name) => [
      name,
      "the body of the request",
    ]),
  ),
}

/** The members that answer one client. */
const clientAnswers: Readonly<Partial<Record<keyof Context, string>>> = {
  setCookie: "sets a cookie",
  flash: "leaves a message for a visitor",
  sse: "sends events",
}

/** Methods that return a value of the request. */
const valueMethods = ["get", "getString", "getInt", "getBool"] as const

/**
 * Makes a context report and refuse each use of a request's data. Its methods and fields are those of its class, so own
 * properties come before them.
 *
 * @param hasOrigin true if the application knows its scheme and host.
 */
export function limitContext(c: Context, hasOrigin: boolean, report: ReportRead): void {
  const refuse = (kind: ReadKind, what: string): never => {
    const call = new Error(`the answer is made at build time, and it ${what}`)
    report(kind, what, call)
    throw call
  }
  const refuseMember = (name: string, kind: ReadKind, what: string) =>
    Object.defineProperty(c, name, { configurable: true, get: () => refuse(kind, what) })
  for (const [name, what] of Object.entries(requestData)) refuseMember(name, "request", `reads ${what}`)
  for (const [name, what] of Object.entries(clientAnswers)) refuseMember(name, "request", what)
  if (!hasOrigin) refuseMember("origin", "site", "reads the address of the site")
  const ownValues = new Set<unknown>()
  const { set } = c
  const define = (name: string, value: unknown) => Object.defineProperty(c, name, { configurable: true, value })
  define("set", (key: never, value: never) => {
    ownValues.add(key)
    set.call(c, key, value)
  })
  for (const name of valueMethods) {
    const read = c[name] as (key: unknown) => unknown
    define(name, (key: unknown) =>
      ownValues.has(key) ? read.call(c, key) : refuse("value", `reads ${JSON.stringify(key)}`),
    )
  }
}

/** A context without the data of a request, for an answer that is the same for every client. */
import type { Context } from "../../../lib/context.ts"
import type { PageFailure } from "./page-answer.ts"

/** Receives the name of the message about a use, what was used, and an error with the stack of the call. */
export type ReportUse = (name: PageFailure["name"], what: string, call: Error) => void

/** What an answer for every client cannot do, and the members of a context that do it. */
const clientUses: Readonly<Record<string, readonly (keyof Context)[]>> = {
  "reads a header": ["header", "isHTMX", "isJSON"],
  "reads a cookie": ["cookie"],
  "reads the session": ["session"],
  "reads the messages for a visitor": ["flashed"],
  "reads the query": ["query", "queryDefault", "queryInt", "queryBool", "queryAll", "bindQuery", "search"],
  "reads the client's address": ["clientIP"],
  "reads the request": ["request"],
  "reads the body": ["bind", "text", "bytes", "form", "formValue", "formFile", "bindForm", "readForm", "parts"],
  "sets a cookie": ["setCookie"],
  "leaves a message for a visitor": ["flash"],
  "sends events": ["sse"],
}

/** Methods that return a value of the request. */
const valueMethods = ["get", "getString", "getInt", "getBool"] as const

/**
 * Makes a context report and refuse each use of a request's data. Its methods and fields are those of its class, so own
 * properties come before them.
 *
 * @param hasOrigin true if the application knows its scheme and host.
 */
export function limitContext(c: Context, hasOrigin: boolean, report: ReportUse): void {
  const refuse = (name: PageFailure["name"], what: string): never => {
    const call = new Error(`the answer is made at build time, and it ${what}`)
    report(name, what, call)
    throw call
  }
  const refuseMember = (member: string, what: string, name: PageFailure["name"] = "prerender.read") =>
    Object.defineProperty(c, member, { configurable: true, get: () => refuse(name, what) })
  for (const [what, members] of Object.entries(clientUses)) for (const member of members) refuseMember(member, what)
  if (!hasOrigin) refuseMember("origin", "reads the address of the site", "prerender.site")
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
      ownValues.has(key) ? read.call(c, key) : refuse("prerender.middleware", `reads ${JSON.stringify(key)}`),
    )
  }
}

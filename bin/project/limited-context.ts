/** A context without the data of a request, for an answer that is the same for every client. */
import type { Context } from "../../lib/context.ts"
import { buildFault } from "../messages/build.ts"

/** The names of the messages about a use. */
type UseMessage = "prerender.read" | "prerender.middleware" | "prerender.site"

/** Receives the name of the message about a use, what was used, and the error that the call throws. */
export type ReportUse = (name: UseMessage, what: string, error: Error) => void

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
 * Makes a context refuse each use of a request's data. Its methods and fields are those of its class, so own properties come
 * before them.
 *
 * @param hasOrigin true if the application knows its scheme and host.
 * @returns a function that ends this.
 */
export function limitContext(c: Context, hasOrigin: boolean, report: ReportUse = () => {}): () => void {
  const refuse = (name: UseMessage, what: string): never => {
    const error = buildFault(name, [c.path, what])
    report(name, what, error)
    throw error
  }
  const own: PropertyDescriptorMap = {}
  const refuseMember = (member: string, what: string, name: UseMessage = "prerender.read") => {
    own[member] = { configurable: true, get: () => refuse(name, what) }
  }
  for (const [what, members] of Object.entries(clientUses)) for (const member of members) refuseMember(member, what)
  if (!hasOrigin) refuseMember("origin", "reads the address of the site", "prerender.site")
  const ownValues = new Set<unknown>()
  const { set } = c
  const setValue = (key: never, value: never) => {
    ownValues.add(key)
    set.call(c, key, value)
  }
  own.set = { configurable: true, value: setValue }
  for (const name of valueMethods) {
    const read = c[name] as (key: unknown) => unknown
    const readValue = (key: unknown) =>
      ownValues.has(key) ? read.call(c, key) : refuse("prerender.middleware", `reads ${JSON.stringify(key)}`)
    own[name] = { configurable: true, value: readValue }
  }
  Object.defineProperties(c, own)
  return () => {
    for (const name of Object.keys(own)) delete (c as unknown as Record<string, unknown>)[name]
  }
}

/** Limits a context to what is the same for every client, because the answer is stored. */
import type { Context } from "../../lib/context.ts"
import { buildFault } from "../messages/build.ts"

/** The names of the messages about a refused use. */
type UseMessage = "prerender.read" | "prerender.middleware" | "prerender.site"

/** Receives the name of the message, the refused use, and the error that the call throws. */
export type ReportUse = (name: UseMessage, use: string, error: Error) => void

/** What a stored answer cannot do, and the members of the context that do it. */
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
 * Makes a context throw for each use of the request's data. Own properties are added, which hide the members of its
 * class.
 *
 * @param hasOrigin true if the scheme and host of the application are known.
 * @returns a function that removes the limits.
 */
export function limitContext(c: Context, hasOrigin: boolean, report: ReportUse = () => {}): () => void {
  const refuse = (name: UseMessage, use: string): never => {
    const error = buildFault(name, [c.path, use])
    report(name, use, error)
    throw error
  }
  const hiddenMembers: PropertyDescriptorMap = {}
  const refuseMember = (member: string, use: string, name: UseMessage = "prerender.read") => {
    hiddenMembers[member] = { configurable: true, get: () => refuse(name, use) }
  }
  for (const [use, members] of Object.entries(clientUses)) for (const member of members) refuseMember(member, use)
  if (!hasOrigin) refuseMember("origin", "reads the address of the site", "prerender.site")
  const ownValues = new Set<unknown>()
  const { set } = c
  const setValue = (key: never, value: never) => {
    ownValues.add(key)
    set.call(c, key, value)
  }
  hiddenMembers.set = { configurable: true, value: setValue }
  for (const name of valueMethods) {
    const read = c[name] as (key: unknown) => unknown
    const readValue = (key: unknown) =>
      ownValues.has(key) ? read.call(c, key) : refuse("prerender.middleware", `reads ${JSON.stringify(key)}`)
    hiddenMembers[name] = { configurable: true, value: readValue }
  }
  Object.defineProperties(c, hiddenMembers)
  return () => {
    for (const name of Object.keys(hiddenMembers)) delete (c as unknown as Record<string, unknown>)[name]
  }
}

/** Creates apps that answer with what a function reads from the request. */
import type { App, Context, HandlerFunc } from "../../../lib/index.ts"
import { type Ask, app, type Case } from "./case.ts"

/** A claim about what is read. */
export type Row = readonly [
  subject: string,
  name: string,
  read: (c: Context) => unknown,
  request: string | Ask,
  want: unknown,
]

/**
 * Returns an app that answers with what a function reads from the request, under every pattern that the rows use.
 */
export function reading(read: (c: Context) => unknown): () => App {
  const handler: HandlerFunc = async (c) => c.json(200, { value: (await read(c)) ?? null })
  return app((a) => {
    a.registerRoute("GET", "/p/{id}", handler)
    a.registerRoute("GET", "/rest/{first}/*", handler)
    for (const method of ["GET", "POST", "PUT", "PURGE", "HEAD", "OPTIONS"]) a.registerRoute(method, "/", handler)
    a.post("/{any}", handler)
  })
}

/** Returns the cases of rows. `via` is set if the result depends on how the request is sent. */
export function readingCases(rows: readonly Row[], via?: "fetch" | "socket"): Case[] {
  return rows.map(([subject, name, read, request, value]) => {
    const one: Case = { subject, name, app: reading(read), request, expect: { json: { value } } }
    return via ? { ...one, via } : one
  })
}

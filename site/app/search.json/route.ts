import type { Context } from "fw"
import { createIndex } from "#lib/search.ts"

export const prerender = true

/** Answers with the index for the search. */
export function Get(c: Context) {
  c.setHeader("content-type", "application/json")
  return c.string(200, createIndex())
}

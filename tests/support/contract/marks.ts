/** Handlers and middleware of contract cases that show which way a request went. */
import type { Context, MiddlewareFunc } from "../../../lib/index.ts"

/** Answers with what it was called by. */
export const say = (c: Context) => c.string(200, `${c.method} ${c.path}`)

/** Leaves a mark in the answer, before and after. */
export const mark =
  (name: string): MiddlewareFunc =>
  (next) =>
  async (c) => {
    c.set("marks", `${c.getString("marks")}${name}(`)
    const response = await next(c)
    c.appendHeader("x-after", name)
    return response
  }

/** Answers with the marks that were left before. */
export const marks = (c: Context) => c.string(200, c.getString("marks"))

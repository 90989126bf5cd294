/** Handlers and middleware for contract cases that show which of them handled a request. */
import type { Context, MiddlewareFunc } from "../../../lib/index.ts"

/** Answers with the method and the path of the request. */
export const say = (c: Context) => c.string(200, `${c.method} ${c.path}`)

/** Returns a middleware that adds a mark to the answer before and after the handler. */
export const mark =
  (name: string): MiddlewareFunc =>
  (next) =>
  async (c) => {
    c.set("marks", `${c.getString("marks")}${name}(`)
    const response = await next(c)
    c.appendHeader("x-after", name)
    return response
  }

/** Answers with the marks of earlier middleware. */
export const marks = (c: Context) => c.string(200, c.getString("marks"))

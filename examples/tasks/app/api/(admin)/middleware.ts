/** Requires an administrator for the routes of this group. `(admin)` is not part of their URLs. */
import { type MiddlewareFunc, unauthorized } from "fw"
import { apiKeys } from "../../../lib/env.ts"
import { createOwnerFinder } from "../../../lib/keys.ts"

/** @security apiKey */
export function Middleware(): MiddlewareFunc {
  const findOwner = createOwnerFinder(apiKeys)
  return (next) => async (c) => {
    const key = c.header("x-api-key")
    if (key === "") throw unauthorized("send an API key in the header X-API-Key", { code: "missing API key" })
    const owner = await findOwner(key)
    if (owner === null) throw unauthorized("unknown API key", { code: "invalid API key" })
    c.set("service_name", owner)
    return next(c)
  }
}

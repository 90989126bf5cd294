/** Requires an administrator for the routes of this group. `(admin)` is not part of their URLs. */
import { type MiddlewareFunc, unauthorized } from "fw"
import { apiKeys } from "../../../lib/env.ts"
import { keyring } from "../../../lib/keys.ts"

/** @security apiKey */
export function Middleware(): MiddlewareFunc {
  const ownerOf = keyring(apiKeys)
  return (next) => async (c) => {
    const given = c.header("x-api-key")
    if (given === "")
      throw unauthorized("send an API key in the header X-API-Key", { code: "missing API key" })
    const owner = await ownerOf(given)
    if (owner === null) throw unauthorized("unknown API key", { code: "invalid API key" })
    c.set("service_name", owner)
    return next(c)
  }
}

import type { Context } from "fw"
import { currentService } from "../../../../lib/auth/api-keys.ts"

/** Returns the name of the API key's service, and the address of the owner. */
export function Get(c: Context) {
  const { name, owner } = currentService.get(c)
  return c.json(200, { service_name: name, owner: owner?.email ?? null })
}

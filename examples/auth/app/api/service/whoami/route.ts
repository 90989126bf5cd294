import type { Context } from "fw"

/** Returns the name of the API key's service. */
export function Get(c: Context) {
  return c.json(200, { service_name: c.getString("service_name") })
}

import type { Context } from "fw"

/** Whose API key it is. */
export function Get(c: Context) {
  return c.json(200, { service_name: c.getString("service_name") })
}

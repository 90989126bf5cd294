import type { Context } from "fw"
import { settings } from "../../../../lib/schemas.ts"
import { store } from "../../../../lib/store.ts"

/** The middleware of this directory also protects the tool for language models. */
export const mcp = true

/** Returns the settings. */
export function Get(c: Context) {
  return c.json(200, store.settings)
}

/** Replaces the settings. */
export async function Put(c: Context) {
  await store.configure({ ...(await c.bind(settings)), changedBy: c.getString("service_name") })
  return c.json(200, store.settings)
}

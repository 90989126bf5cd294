/** Merges the schemas in `allOf` with the schema that includes them. */
import type { Api, Schema } from "./document.ts"

/** Returns the properties of a schema and of all schemas that it includes. */
export function mergeAllOf(api: Api, schema: Schema): { properties: Record<string, Schema>; required: Set<string> } {
  const properties: Record<string, Schema> = {}
  const required = new Set<string>()
  const seen = new Set<Schema>()
  const add = (one: Schema): void => {
    const whole = api.resolve<Schema>(one)
    if (seen.has(whole)) return
    seen.add(whole)
    for (const part of whole.allOf ?? []) add(part)
    Object.assign(properties, whole.properties)
    for (const name of whole.required ?? []) required.add(name)
  }
  add(schema)
  return { properties, required }
}

/** Merges the schemas in `allOf` with the schema that includes them. */
import type { Api, Schema } from "./document.ts"

/** Returns the properties of a schema and of all schemas that it includes. */
export function mergeAllOf(api: Api, schema: Schema): { properties: Record<string, Schema>; required: Set<string> } {
  const properties: Record<string, Schema> = {}
  const required = new Set<string>()
  const seen = new Set<Schema>()
  const add = (one: Schema): void => {
    const resolvedSchema = api.resolve<Schema>(one)
    if (seen.has(resolvedSchema)) return
    seen.add(resolvedSchema)
    for (const part of resolvedSchema.allOf ?? []) add(part)
    Object.assign(properties, resolvedSchema.properties)
    for (const name of resolvedSchema.required ?? []) required.add(name)
  }
  add(schema)
  return { properties, required }
}

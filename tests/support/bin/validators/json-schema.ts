/** Returns the JSON Schema of a validator's type with the code that writes the schemas of OpenAPI documents. */

import type { NamedType } from "../../../../bin/openapi/document/model.ts"
import { type Schema, Schemas } from "../../../../bin/openapi/document/schemas.ts"
import type { Validator } from "../../../../bin/validators/validator.ts"

/** Returns the schema, of draft 2020-12. */
export function toJSONSchema({ from, type, named }: Validator): Schema {
  const schemas = new Schemas(named, listNames(named))
  const root = from === "json" ? schemas.toSchema(type) : schemas.toFormSchema(type)
  return plain({ ...root, components: { schemas: schemas.components } })
}

/** Returns a free name for each type. */
function listNames(named: readonly NamedType[]): ReadonlyMap<string, string> {
  return new Map(named.map(({ id, name }, at) => [id, `${name.replace(/[^A-Za-z0-9._-]/g, "_")}_${at}`]))
}

/** Removes keywords that only OpenAPI defines. */
function plain(schema: object): Schema {
  return JSON.parse(
    JSON.stringify(schema, function (this: unknown, key, value: unknown) {
      const isKeyword = key === "discriminator" && Array.isArray((this as Schema).oneOf)
      return isKeyword ? undefined : value
    }),
  ) as Schema
}

/** Helpers that make JSON Schemas of validators, for each target of Standard JSON Schema. */

/** By name, as in `helpers`. */
export const schemaHelpers: Readonly<
  Record<string, { readonly text: string; readonly uses?: readonly string[] }>
> = {
  schemaOf: {
    uses: ["older schema"],
    text: `const dialects = {
  "draft-2020-12": "https://json-schema.org/draft/2020-12/schema",
  "draft-07": "http://json-schema.org/draft-07/schema#",
  "openapi-3.0": undefined,
}
function schemaOf(root, names, isData) {
  const make = (options, change) => {
    const target = options?.target ?? "draft-2020-12"
    if (!Object.hasOwn(dialects, target)) throw new TypeError("the targets of a JSON Schema are " + Object.keys(dialects).join(", ") + ", not " + target)
    const isNew = target === "draft-2020-12"
    const convert = (schema) => (isNew ? change(structuredClone(schema)) : older(change(structuredClone(schema)), target === "openapi-3.0"))
    const schema = { ...(dialects[target] && { $schema: dialects[target] }), ...convert(root) }
    if (names.length === 0) return schema
    return { ...schema, [isNew ? "$defs" : "definitions"]: Object.fromEntries(names.map((name) => [name, convert(defs[name])])) }
  }
  const output = (options) => {
    if (!isData) throw new TypeError("JSON Schema cannot describe the dates, bigints or files that this validator makes")
    return make(options, filled)
  }
  return { input: (options) => make(options, (schema) => schema), output }
}
function filled(schema) {
  if (typeof schema !== "object" || schema === null) return schema
  for (const part of Object.values(schema)) filled(part)
  const { properties } = schema
  if (schema.type !== "object" || !properties) return schema
  const names = Object.keys(properties).filter((name) => "default" in properties[name])
  if (names.length > 0) schema.required = [...new Set([...(schema.required ?? []), ...names])]
  return schema
}`,
  },
  // Draft 7 ignores keywords next to a reference, and has another form of tuples.
  "older schema": {
    text: `function older(schema, isOpenAPI) {
  if (typeof schema !== "object") return isOpenAPI ? (schema ? {} : { not: {} }) : schema
  const { $ref, prefixItems, items, ...rest } = schema
  const part = (one) => older(one, isOpenAPI)
  const made = {}
  for (const [key, value] of Object.entries(rest)) {
    if (key === "properties" || key === "patternProperties")
      made[key] = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, part(one)]))
    else if (key === "anyOf" || key === "oneOf" || key === "allOf") made[key] = value.map(part)
    else if (key === "propertyNames" || key === "not" || key === "contains") made[key] = part(value)
    else made[key] = key === "additionalProperties" && typeof value === "object" ? part(value) : value
  }
  if (prefixItems) made.items = prefixItems.map(part)
  if (items !== undefined) made[prefixItems ? "additionalItems" : "items"] = part(items)
  const last = isOpenAPI ? forOpenAPI(made) : made
  if ($ref === undefined) return last
  const target = { $ref: $ref.replace("#/$defs/", "#/definitions/") }
  return Object.keys(last).length > 0 ? { ...last, allOf: [target, ...(last.allOf ?? [])] } : target
}
function forOpenAPI(schema) {
  const { type, const: only, examples, contentMediaType, patternProperties, propertyNames, additionalItems, contains, minContains, maxContains, exclusiveMinimum, exclusiveMaximum, ...made } = schema
  if ("const" in schema) made.enum = [only]
  if (examples) made.example = examples[0]
  if (contentMediaType) made.format = "binary"
  for (const [key, bound, closer] of [["exclusiveMinimum", "minimum", Math.max], ["exclusiveMaximum", "maximum", Math.min]]) {
    const value = schema[key]
    if (value === undefined || (bound in made && closer(value, made[bound]) !== value)) continue
    made[bound] = value
    made[key] = true
  }
  const anyOfThese = (list) => (list.length === 1 ? list[0] : list.length === 0 ? {} : { anyOf: list })
  if (Array.isArray(made.items)) made.items = anyOfThese(additionalItems && !additionalItems.not ? [...made.items, additionalItems] : made.items)
  else if (type === "array") made.items ??= {}
  if (patternProperties && made.additionalProperties !== true)
    made.additionalProperties = anyOfThese([...Object.values(patternProperties), ...(made.additionalProperties ? [made.additionalProperties] : [])])
  const names = [type ?? []].flat().filter((name) => name !== "null")
  const nullable = [type].flat().includes("null") ? { nullable: true } : {}
  if (names.length === 1) return { type: names[0], ...nullable, ...made }
  if (names.length === 0) return nullable.nullable ? { ...made, type: "object", nullable: true, enum: [null] } : made
  const any = names.map((name) => ({ type: name, ...nullable, ...(name === "array" && { items: {} }) }))
  return made.anyOf ? { ...made, allOf: [...(made.allOf ?? []), { anyOf: any }] } : { ...made, anyOf: any }
}`,
  },
}

/** Converts the schemas of a document to TypeScript types. Every object gets a name, so that no type is nested. */
import { declaredDate, keyTemplates, type Schema } from "../../openapi/document/schemas.ts"
import { openTuple } from "../../openapi/document/tuple.ts"
import { renderKey, toTypeName, UniqueNames } from "./names.ts"
import { renderComment, renderUnion } from "./render.ts"

/** The members of a union. Most types have a single one. */
export type TypeText = readonly string[]

const refPrefix = "#/components/schemas/"
const primitiveNames: Readonly<Record<string, string>> = { integer: "number" }
/** The longest union in an array or record, in characters. A longer one gets a name. */
const maxUnionCharacters = 60

/** Collects the types of a client. */
export class ClientTypes {
  readonly names = new UniqueNames()
  readonly #components: ReadonlyMap<string, Schema>
  readonly #namesBySchema = new Map<string, string>()
  readonly #declarations = new Map<string, string>()
  /** Names of declared types, by the text of the declaration. */
  readonly #namesByText = new Map<string, string>()

  /** Declares the named schemas of the document, which keep their names. */
  constructor(components: Readonly<Record<string, Schema>>) {
    this.#components = new Map(Object.entries(components))
    for (const name of this.#components.keys()) this.#namesBySchema.set(name, this.names.take(toTypeName(name)))
    for (const [name, schema] of this.#components) this.#declareNamed(this.#namesBySchema.get(name) as string, schema)
  }

  /** All declarations, sorted by name. */
  get declarations(): string {
    const order = [...this.#declarations].sort(([a], [b]) => (a < b ? -1 : 1))
    return order.map(([, text]) => text).join("\n")
  }

  /** Returns the schema to which a reference refers. */
  resolve(schema: Schema): Schema {
    const { $ref } = schema
    return typeof $ref === "string" ? (this.#components.get($ref.slice(refPrefix.length)) ?? {}) : schema
  }

  /**
   * Returns the type of a schema.
   *
   * @param hint the name for an object that has none.
   */
  toType(schema: Schema, hint: string): TypeText {
    const { $ref, const: constant, enum: values, type, not } = schema
    if (typeof $ref === "string") return [this.#namesBySchema.get($ref.slice(refPrefix.length)) ?? "unknown"]
    if ("const" in schema) return [JSON.stringify(constant)]
    if (Array.isArray(values)) return values.map((value) => JSON.stringify(value))
    const alternatives = (schema.oneOf ?? schema.anyOf) as readonly Schema[] | undefined
    if (alternatives)
      return keepUniqueMembers(alternatives.flatMap((one, n) => this.toType(one, `${hint}${n === 0 ? "" : n + 1}`)))
    const intersectionParts = schema.allOf as readonly Schema[] | undefined
    if (intersectionParts) {
      const { allOf: _, ...rest } = schema
      const parts = type === undefined ? intersectionParts : [rest, ...intersectionParts]
      const texts = keepUniqueMembers(parts.map((one, n) => this.toSingleType(one, `${hint}Part${n + 1}`)))
      // A part that only limits values has the type unknown.
      return [texts.filter((text) => text !== "unknown").join(" & ") || "unknown"]
    }
    if (not !== undefined) return ["never"]
    if (type === undefined && !schema.properties) return ["unknown"]
    return keepUniqueMembers([type ?? "object"].flat().flatMap((one) => this.#toPlainType(String(one), schema, hint)))
  }

  /** Returns a type in parentheses if it is a union. */
  toSingleType(schema: Schema, hint: string): string {
    const members = this.toType(schema, hint)
    const [firstMember = "never", ...others] = members
    if (others.length === 0) return firstMember.includes(" & ") ? `(${firstMember})` : firstMember
    const text = members.join(" | ")
    if (text.length <= maxUnionCharacters) return `(${text})`
    return this.declare(hint, (name) => renderUnion(`export type ${name} =`, members))
  }

  /**
   * Declares a type under an unused name, and returns that name. A declaration that exists already is used again.
   */
  declare(preferred: string, render: (name: string) => string): string {
    const key = render(preferred)
    const declaredName = this.#namesByText.get(key)
    if (declaredName !== undefined) return declaredName
    const name = this.names.take(preferred)
    this.#namesByText.set(key, name)
    this.#declarations.set(name, render(name))
    return name
  }

  #toPlainType(type: string, schema: Schema, hint: string): TypeText {
    if (type === "string") {
      if (declaredDate in schema) return ["Date"]
      return [schema.contentMediaType === undefined ? "string" : "Blob"]
    }
    if (type === "array") return [this.#toArrayType(schema, hint)]
    if (type === "object") return [this.#toObjectType(schema, hint)]
    return [primitiveNames[type] ?? type]
  }

  #toArrayType({ items, prefixItems, minItems = 0, [openTuple]: open }: Schema, hint: string): string {
    const name = hint.replace(/([^s])s$/, "$1")
    const item = () =>
      typeof items === "object" ? this.toSingleType(items as Schema, toItemName(name, hint)) : "unknown"
    if (!Array.isArray(prefixItems) && !open) return `${item()}[]`
    const firstItems = ((prefixItems ?? []) as readonly Schema[]).map((one, n) => {
      return `${this.toSingleType(one, `${hint}${n + 1}`)}${n < Number(minItems) ? "" : "?"}`
    })
    const lastItems = open?.tail.map((one, n) => this.toSingleType(one, `${hint}Last${n + 1}`)) ?? []
    const restItem = open ? this.toSingleType(open.rest, toItemName(name, hint)) : items === false ? "" : item()
    return `[${[...firstItems, ...(restItem ? [`...${restItem}[]`] : []), ...lastItems].join(", ")}]`
  }

  #toObjectType(schema: Schema, hint: string): string {
    const { properties = {}, patternProperties = {}, additionalProperties: other, [keyTemplates]: keys } = schema
    const patterns = Object.entries(patternProperties as Record<string, Schema>)
    const signatures = patterns.map(([pattern, one]) => {
      return `[key: ${keys?.[pattern] ?? "string"}]: ${this.toType(one, `${hint}Value`).join(" | ")}`
    })
    if (typeof other === "object")
      signatures.push(`[key: string]: ${this.toType(other as Schema, `${hint}Value`).join(" | ")}`)
    const hasNames = Object.keys(properties as object).length > 0
    // Record is not used, because a type alias cannot refer to itself in type arguments.
    const record = `{ ${(signatures.length > 0 ? signatures : ["[key: string]: unknown"]).join("; ")} }`
    if (!hasNames) return record
    const name = this.declare(hint, (name) => this.#renderInterface(name, schema, hint))
    return signatures.length > 0 ? `${name} & ${record}` : name
  }

  #declareNamed(name: string, schema: Schema): void {
    const hasValues = schema.patternProperties || typeof schema.additionalProperties === "object"
    const isObject = schema.type === "object" && Object.keys(Object(schema.properties)).length > 0
    const text =
      isObject && !hasValues
        ? this.#renderInterface(name, schema)
        : renderUnion(`export type ${name} =`, this.toType({ ...schema, description: undefined }, `${name}Fields`))
    this.#declarations.set(name, renderComment(String(schema.description ?? "")) + text)
  }

  #renderInterface(name: string, { properties = {}, required = [] }: Schema, hint = name): string {
    const lines = Object.entries(properties as Record<string, Schema>).map(([key, schema]) => {
      const mark = (required as readonly string[]).includes(key) ? "" : "?"
      const comment = renderComment(formatSchemaComment(schema), "  ")
      const members = this.toType(schema, `${hint}${toTypeName(key)}`)
      return comment + renderUnion(`${renderKey(key)}${mark}:`, members, "  ")
    })
    return `export interface ${name} {\n${lines.join("")}}\n`
  }
}

/** Returns the comment of a schema's type. */
function formatSchemaComment({ description = "", deprecated }: Schema): string {
  return `${description}${deprecated ? "\n@deprecated" : ""}`.trim()
}

function toItemName(singular: string, plural: string): string {
  return singular === plural ? `${plural}Item` : singular
}

/**
 * Removes duplicates from the members of a union. If several are left, intersections are in parentheses, as
 * formatters write them.
 */
export function keepUniqueMembers(members: TypeText): TypeText {
  const list = [...new Set(members)]
  return list.length < 2 ? list : list.map((one) => (/^(?:\w+|\{[^}]*\}) & /.test(one) ? `(${one})` : one))
}

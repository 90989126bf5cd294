/** Changes between two versions of an operation. */
import type { Schema } from "../../../lib/openapi/schema.ts"
import { type Change, type Rule, rules, type Severity } from "./change.ts"
import type { ComparedOperation } from "./documents.ts"
import { normal, own, resolve, type Whole } from "./normal.ts"
import { compareSchemas } from "./schemas.ts"

/** Compares two versions of an operation. */
export function compareOperations(before: ComparedOperation, after: ComparedOperation): Change[] {
  const comparison = new OperationComparison(before, after)
  comparison.run()
  return comparison.changes
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>
type Named = Readonly<Record<string, Schema>>

class OperationComparison {
  readonly changes: Change[] = []
  readonly #old: Schema
  readonly #now: Schema
  readonly #before: Whole
  readonly #after: Whole
  readonly #where: { readonly method: string; readonly path: string }
  /** Paths of both versions, whose parameters correspond by their order. */
  readonly #paths: readonly [before: string, after: string]

  constructor(before: ComparedOperation, after: ComparedOperation) {
    this.#old = before.operation
    this.#now = after.operation
    this.#before = before.document as Whole
    this.#after = after.document as Whole
    this.#where = { method: after.method, path: after.path }
    this.#paths = [before.path, after.path]
  }

  run(): void {
    this.#itself()
    this.#security()
    this.#parameters()
    this.#body()
    this.#responses()
  }

  #itself(): void {
    const [old, now] = [this.#old, this.#now]
    if (!old.deprecated && now.deprecated)
      this.#rule("endpoint-deprecated", "", "the operation is deprecated")
    if (old.deprecated && !now.deprecated)
      this.#rule("endpoint-reactivated", "", "the operation is no longer deprecated")
    if (old.operationId !== undefined && old.operationId !== now.operationId)
      this.#rule(
        "api-operation-id-removed",
        "",
        `the operation is called ${now.operationId ?? "nothing"} now, and was ${old.operationId}`,
      )
    const [tags, others] = [old, now].map(({ tags = [] }) => tags as string[]) as [string[], string[]]
    for (const tag of others.filter((one) => !tags.includes(one)))
      this.#rule("api-tag-added", "", `it has the tag ${tag} now`)
    for (const tag of tags.filter((one) => !others.includes(one)))
      this.#rule("api-tag-removed", "", `it no longer has the tag ${tag}`)
  }

  /** Compares the alternatives, of which a client needs one. */
  #security(): void {
    const [ways, others] = [waysOf(this.#old), waysOf(this.#now)]
    const [wasPublic, isPublic] = [ways.includes(none), others.includes(none)]
    for (const way of ways.filter((one) => one !== none && !others.includes(one)))
      if (isPublic) this.#rule("api-security-removed", "", `it no longer needs ${way}`)
      else this.#rule("api-security-no-longer-accepted", "", `it no longer accepts ${way}`)
    for (const way of others.filter((one) => one !== none && !ways.includes(one)))
      if (wasPublic && !isPublic) this.#rule("api-security-became-required", "", `it needs ${way} now`)
      else this.#rule("api-security-added", "", `it accepts ${way} now`)
  }

  #parameters(): void {
    const [old, now] = [this.#parametersOf(0), this.#parametersOf(1)]
    for (const [key, one] of old) {
      const other = now.get(key)
      const place = placeOf(one)
      if (other) this.#parameter(one, other)
      else if (one.deprecated)
        this.#rule(
          "request-parameter-removed-with-deprecation",
          place,
          "the deprecated parameter was removed",
        )
      else this.#rule("request-parameter-removed", place, "the parameter was removed")
    }
    for (const [key, one] of now) {
      if (old.has(key)) continue
      if (one.required)
        this.#rule("new-required-request-parameter", placeOf(one), "a required parameter was added")
      else this.#rule("new-optional-request-parameter", placeOf(one), "an optional parameter was added")
    }
  }

  /** Returns the parameters. Those of a path have the number of their place in it, because they may be renamed. */
  #parametersOf(which: 0 | 1): Map<string, Schema> {
    const names = [...this.#paths[which].matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name)
    const components = [this.#before, this.#after][which] as Whole
    const list = ([this.#old, this.#now][which]?.parameters ?? []) as readonly Schema[]
    return new Map(
      list.map((given) => {
        const one = resolve(given, components)
        const name = one.in === "header" ? String(one.name).toLowerCase() : String(one.name)
        return [`${one.in} ${one.in === "path" ? names.indexOf(name) : name}`, one]
      }),
    )
  }

  #parameter(one: Schema, other: Schema): void {
    const place = placeOf(other)
    if (!one.required && other.required)
      this.#rule("request-parameter-became-required", place, "the parameter is required now")
    if (one.required && !other.required)
      this.#rule("request-parameter-became-optional", place, "the parameter is optional now")
    if (!one.deprecated && other.deprecated)
      this.#rule("request-parameter-deprecated", place, "the parameter is deprecated")
    if (one.deprecated && !other.deprecated)
      this.#rule("request-parameter-reactivated", place, "the parameter is no longer deprecated")
    const [schema, next] = [one, other].map(schemaOf) as [Schema, Schema]
    const [value, now] = [schema, next].map((part) => JSON.stringify(part.default))
    if (value === undefined && now !== undefined)
      this.#rule("request-parameter-default-value-added", place, `it has the default ${now} now`)
    else if (value !== undefined && now === undefined)
      this.#rule("request-parameter-default-value-removed", place, `it no longer has the default ${value}`)
    else if (value !== now)
      this.#rule(
        "request-parameter-default-value-changed",
        place,
        `it has the default ${now} now, and had ${value}`,
      )
    const item = isExploded(other) ? this.#newItem(schema, next) : undefined
    if (item) this.#rule("request-parameter-type-generalized", place, "it may have several values now")
    this.#schemas(...(item ?? [schema, next]), place, ["request-parameter", "request-parameter"])
  }

  /** Returns a value that became an item of a list, without null, and the item: one value is still a list with one item. */
  #newItem(schema: Schema, next: Schema): readonly [Schema, Schema] | undefined {
    const [old, now] = [normal(schema, this.#before), normal(next, this.#after).schema]
    const isList = (one: Schema) => [one.type].flat().includes("array")
    if (old.members || isList(old.schema) || !isList(now) || Number(now.minItems ?? 0) > 1) return undefined
    return [old.schema, Object(now.items) as Schema]
  }

  #body(): void {
    const [given, next] = [this.#old.requestBody, this.#now.requestBody] as [
      Schema | undefined,
      Schema | undefined,
    ]
    const old = given && resolve(given, this.#before)
    const now = next && resolve(next, this.#after)
    if (!old && now?.required) this.#rule("request-body-added-required", "body", "a required body was added")
    else if (!old && now) this.#rule("request-body-added-optional", "body", "an optional body was added")
    if (old && !now) return void this.#rule("request-body-removed", "body", "the body was removed")
    if (!old || !now) return
    if (!old.required && now.required)
      this.#rule("request-body-became-required", "body", "the body is required now")
    if (old.required && !now.required)
      this.#rule("request-body-became-optional", "body", "the body is optional now")
    this.#contents(old, now, "body", ["request-body", "request-property"])
  }

  #responses(): void {
    const [old, now] = [this.#old, this.#now].map(({ responses }) => Object(responses) as Named) as [
      Named,
      Named,
    ]
    for (const [status, given] of Object.entries(old)) {
      const place = `answer ${status}`
      const other = own(now, status)
      if (!other) {
        this.#rule(`response-${groupOf(status)}-status-removed`, place, `the status ${status} was removed`)
        continue
      }
      const [one, next] = [resolve(given, this.#before), resolve(other, this.#after)]
      this.#headers(one, next, place)
      this.#contents(one, next, place, ["response-body", "response-property"])
    }
    for (const status of Object.keys(now).filter((one) => !Object.hasOwn(old, one)))
      this.#rule(
        `response-${groupOf(status)}-status-added`,
        `answer ${status}`,
        `the status ${status} was added`,
      )
  }

  #headers({ headers: given }: Schema, { headers: next }: Schema, place: string): void {
    const [old, now] = [this.#headersOf(given, this.#before), this.#headersOf(next, this.#after)]
    for (const [key, [name, one]] of old) {
      const [, other] = now.get(key) ?? []
      if (!other)
        this.#rule(
          one.required ? "required-response-header-removed" : "optional-response-header-removed",
          place,
          `the header ${name} was removed`,
        )
      else {
        if (one.required && !other.required)
          this.#rule("response-header-became-optional", place, `the header ${name} is optional now`)
        this.#schemas(schemaOf(one), schemaOf(other), `${place}, header ${name}`, [
          "response-header",
          "response-header",
        ])
      }
    }
    for (const [key, [name]] of now)
      if (!old.has(key)) this.#rule("response-header-added", place, `the header ${name} was added`)
  }

  #headersOf(given: unknown, components: Whole): Map<string, [name: string, header: Schema]> {
    const entries = Object.entries(Object(given) as Named)
    return new Map(entries.map(([name, one]) => [name.toLowerCase(), [name, resolve(one, components)]]))
  }

  #contents(
    { content: given }: Schema,
    { content: next }: Schema,
    place: string,
    kinds: readonly ["request-body" | "response-body", string],
  ): void {
    const [old, now] = [Object(given) as Content, Object(next) as Content]
    const start = kinds[0] === "request-body" ? "request-body" : "response"
    for (const [media, one] of Object.entries(old)) {
      const other = own(now, media)
      const shown = Object.keys(old).length > 1 ? `${place}, ${media}` : place
      if (!other) this.#rule(`${start}-media-type-removed`, place, `the media type ${media} was removed`)
      else this.#schemas(one.schema ?? {}, other.schema ?? {}, shown, kinds)
    }
    for (const media of Object.keys(now).filter((one) => !Object.hasOwn(old, one)))
      this.#rule(`${start}-media-type-added`, place, `the media type ${media} was added`)
  }

  #schemas(before: Schema, after: Schema, place: string, [whole, property]: readonly [string, string]): void {
    compareSchemas(before, after, {
      isSent: whole.startsWith("request"),
      whole,
      property,
      before: this.#before,
      after: this.#after,
      report: (kind, severity, message) => this.#add(severity, kind, place, message),
    })
  }

  #rule(kind: Rule, place: string, message: string): void {
    this.#add(rules[kind], kind, place, message)
  }

  #add(severity: Severity, kind: string, place: string, message: string): void {
    this.changes.push({ severity, kind, ...this.#where, place, message })
  }
}

/** Returns true for a parameter whose values have their own `name=value` each (OpenAPI 3.1.0 §4.8.12.2). */
function isExploded({ in: place, style = "form", explode = true }: Schema): boolean {
  return place === "query" && style === "form" && explode === true
}

/** The alternative that every client has. */
const none = "no credentials"

function waysOf({ security }: Schema): string[] {
  const ways = (security as Schema[]).map((way) => Object.keys(way).sort().join(" and ") || none)
  return ways.length > 0 ? ways : [none]
}

function placeOf({ in: place, name }: Schema): string {
  return `${place} parameter ${name}`
}

/** Returns the schema of a parameter or header, which may be in its content (OpenAPI 3.1.0 §4.8.12.2). */
function schemaOf({ schema, content }: Schema): Schema {
  const [inner] = Object.values(Object(content) as Content)
  return (schema as Schema | undefined) ?? inner?.schema ?? {}
}

function groupOf(status: string): "success" | "non-success" {
  return status.startsWith("2") ? "success" : "non-success"
}

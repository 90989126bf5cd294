/** Finds the changes between two versions of an operation. */
import type { Schema } from "../document/schemas.ts"
import { type Change, changeRules, type Rule, type Severity } from "./change.ts"
import type { ComparedOperation } from "./documents.ts"
import { getOwn, normalize, resolveReference, type WholeDocument } from "./normal-schema.ts"
import { compareSchemas } from "./schemas.ts"
import { compareKeyword } from "./values.ts"

/** Compares two versions of an operation. */
export function compareOperations(before: ComparedOperation, after: ComparedOperation): Change[] {
  const comparison = new OperationComparison(before, after)
  comparison.compare()
  return comparison.changes
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>
type SchemasByName = Readonly<Record<string, Schema>>

class OperationComparison {
  readonly changes: Change[] = []
  readonly #oldOperation: Schema
  readonly #newOperation: Schema
  readonly #oldDocument: WholeDocument
  readonly #newDocument: WholeDocument
  readonly #location: { readonly method: string; readonly path: string }
  /** The paths of both versions. Their parameters correspond to each other by position. */
  readonly #paths: readonly [before: string, after: string]

  constructor(before: ComparedOperation, after: ComparedOperation) {
    this.#oldOperation = before.operation
    this.#newOperation = after.operation
    this.#oldDocument = before.document as WholeDocument
    this.#newDocument = after.document as WholeDocument
    this.#location = { method: after.method, path: after.path }
    this.#paths = [before.path, after.path]
  }

  compare(): void {
    this.#compareMetadata()
    this.#compareSecurity()
    this.#compareParameters()
    this.#compareBody()
    this.#compareResponses()
  }

  #compareMetadata(): void {
    const [old, now] = [this.#oldOperation, this.#newOperation]
    if (!old.deprecated && now.deprecated) this.#addRule("endpoint-deprecated", "", "the operation is deprecated")
    if (old.deprecated && !now.deprecated)
      this.#addRule("endpoint-reactivated", "", "the operation is no longer deprecated")
    if (old.operationId !== undefined && old.operationId !== now.operationId)
      this.#addRule(
        "api-operation-id-removed",
        "",
        `the operation has ${now.operationId ? `the id ${now.operationId}` : "no id"} now, and had ${old.operationId}`,
      )
    const [tags, others] = [old, now].map(({ tags = [] }) => tags as string[]) as [string[], string[]]
    for (const tag of others.filter((one) => !tags.includes(one)))
      this.#addRule("api-tag-added", "", `it has the tag ${tag} now`)
    for (const tag of tags.filter((one) => !others.includes(one)))
      this.#addRule("api-tag-removed", "", `it no longer has the tag ${tag}`)
  }

  /** Compares the security requirements, of which a client must meet one. */
  #compareSecurity(): void {
    const [requirements, others] = [listAlternatives(this.#oldOperation), listAlternatives(this.#newOperation)]
    const [wasPublic, isPublic] = [requirements.includes(noCredentials), others.includes(noCredentials)]
    for (const way of requirements.filter((one) => one !== noCredentials && !others.includes(one)))
      if (isPublic) this.#addRule("api-security-removed", "", `it no longer needs ${way}`)
      else this.#addRule("api-security-no-longer-accepted", "", `it no longer accepts ${way}`)
    for (const way of others.filter((one) => one !== noCredentials && !requirements.includes(one)))
      if (wasPublic && !isPublic) this.#addRule("api-security-became-required", "", `it needs ${way} now`)
      else this.#addRule("api-security-added", "", `it accepts ${way} now`)
  }

  #compareParameters(): void {
    const [old, now] = [this.#listParameters(0), this.#listParameters(1)]
    for (const [key, one] of old) {
      const other = now.get(key)
      const location = describeParameter(one)
      if (other) this.#compareParameter(one, other)
      else if (one.deprecated)
        this.#addRule("request-parameter-removed-with-deprecation", location, "the deprecated parameter was removed")
      else this.#addRule("request-parameter-removed", location, "the parameter was removed")
    }
    for (const [key, one] of now) {
      if (old.has(key)) continue
      if (one.required)
        this.#addRule("new-required-request-parameter", describeParameter(one), "a required parameter was added")
      else this.#addRule("new-optional-request-parameter", describeParameter(one), "an optional parameter was added")
    }
  }

  /**
   * Returns the parameters by key. The key of a path parameter is its position, because it may have been renamed.
   *
   * @param version 0 for the old operation, 1 for the new one.
   */
  #listParameters(version: 0 | 1): Map<string, Schema> {
    const names = [...this.#paths[version].matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name)
    const components = [this.#oldDocument, this.#newDocument][version] as WholeDocument
    const list = ([this.#oldOperation, this.#newOperation][version]?.parameters ?? []) as readonly Schema[]
    return new Map(
      list.map((given) => {
        const one = resolveReference(given, components)
        const name = one.in === "header" ? String(one.name).toLowerCase() : String(one.name)
        return [`${one.in} ${one.in === "path" ? names.indexOf(name) : name}`, one]
      }),
    )
  }

  #compareParameter(one: Schema, other: Schema): void {
    const location = describeParameter(other)
    if (!one.required && other.required)
      this.#addRule("request-parameter-became-required", location, "the parameter is required now")
    if (one.required && !other.required)
      this.#addRule("request-parameter-became-optional", location, "the parameter is optional now")
    if (!one.deprecated && other.deprecated)
      this.#addRule("request-parameter-deprecated", location, "the parameter is deprecated")
    if (one.deprecated && !other.deprecated)
      this.#addRule("request-parameter-reactivated", location, "the parameter is no longer deprecated")
    const [schema, next] = [one, other].map(findSchema) as [Schema, Schema]
    const report = (kind: `default-value-${"added" | "removed" | "changed"}`, text: string) =>
      this.#addRule(`request-parameter-${kind}`, location, `it ${text}`)
    compareKeyword({ old: schema, now: next, report }, "default", "default-value")
    const item = isExploded(other) ? this.#findValueAndItem(schema, next) : undefined
    if (item) this.#addRule("request-parameter-type-generalized", location, "it may have several values now")
    this.#compareSchemas(...(item ?? [schema, next]), location, ["request-parameter", "request-parameter"])
  }

  /**
   * If a single value became a list, returns the old schema without null and the schema of the list's items. A
   * client that sends one value still sends a valid list.
   */
  #findValueAndItem(schema: Schema, next: Schema): readonly [Schema, Schema] | undefined {
    const [old, now] = [normalize(schema, this.#oldDocument), normalize(next, this.#newDocument).schema]
    const isList = (one: Schema) => [one.type].flat().includes("array")
    if (old.members || isList(old.schema) || !isList(now) || Number(now.minItems ?? 0) > 1) return undefined
    return [old.schema, Object(now.items) as Schema]
  }

  #compareBody(): void {
    const [given, next] = [this.#oldOperation.requestBody, this.#newOperation.requestBody] as [
      Schema | undefined,
      Schema | undefined,
    ]
    const old = given && resolveReference(given, this.#oldDocument)
    const now = next && resolveReference(next, this.#newDocument)
    if (!old && now?.required) this.#addRule("request-body-added-required", "body", "a required body was added")
    else if (!old && now) this.#addRule("request-body-added-optional", "body", "an optional body was added")
    if (old && !now) return void this.#addRule("request-body-removed", "body", "the body was removed")
    if (!old || !now) return
    if (!old.required && now.required) this.#addRule("request-body-became-required", "body", "the body is required now")
    if (old.required && !now.required) this.#addRule("request-body-became-optional", "body", "the body is optional now")
    this.#compareContents(old, now, "body", ["request-body", "request-property"])
  }

  #compareResponses(): void {
    const [old, now] = [this.#oldOperation, this.#newOperation].map(
      ({ responses }) => Object(responses) as SchemasByName,
    ) as [SchemasByName, SchemasByName]
    for (const [status, given] of Object.entries(old)) {
      const location = `answer ${status}`
      const other = getOwn(now, status)
      if (!other) {
        this.#addRule(`response-${toStatusGroup(status)}-status-removed`, location, `the status ${status} was removed`)
        continue
      }
      const [one, next] = [resolveReference(given, this.#oldDocument), resolveReference(other, this.#newDocument)]
      this.#compareHeaders(one, next, location)
      this.#compareContents(one, next, location, ["response-body", "response-property"])
    }
    for (const status of Object.keys(now).filter((one) => !Object.hasOwn(old, one)))
      this.#addRule(
        `response-${toStatusGroup(status)}-status-added`,
        `answer ${status}`,
        `the status ${status} was added`,
      )
  }

  #compareHeaders({ headers: given }: Schema, { headers: next }: Schema, place: string): void {
    const [old, now] = [this.#listHeaders(given, this.#oldDocument), this.#listHeaders(next, this.#newDocument)]
    for (const [key, [name, one]] of old) {
      const [, other] = now.get(key) ?? []
      if (!other)
        this.#addRule(
          one.required ? "required-response-header-removed" : "optional-response-header-removed",
          place,
          `the header ${name} was removed`,
        )
      else {
        if (one.required && !other.required)
          this.#addRule("response-header-became-optional", place, `the header ${name} is optional now`)
        this.#compareSchemas(findSchema(one), findSchema(other), `${place}, header ${name}`, [
          "response-header",
          "response-header",
        ])
      }
    }
    for (const [key, [name]] of now)
      if (!old.has(key)) this.#addRule("response-header-added", place, `the header ${name} was added`)
  }

  #listHeaders(headers: unknown, components: WholeDocument): Map<string, [name: string, header: Schema]> {
    const entries = Object.entries(Object(headers) as SchemasByName)
    return new Map(entries.map(([name, one]) => [name.toLowerCase(), [name, resolveReference(one, components)]]))
  }

  #compareContents(
    { content: given }: Schema,
    { content: next }: Schema,
    place: string,
    kinds: readonly ["request-body" | "response-body", string],
  ): void {
    const [old, now] = [Object(given) as Content, Object(next) as Content]
    const start = kinds[0] === "request-body" ? "request-body" : "response"
    for (const [media, one] of Object.entries(old)) {
      const other = getOwn(now, media)
      const mediaPlace = Object.keys(old).length > 1 ? `${place}, ${media}` : place
      if (!other) this.#addRule(`${start}-media-type-removed`, place, `the media type ${media} was removed`)
      else this.#compareSchemas(one.schema ?? {}, other.schema ?? {}, mediaPlace, kinds)
    }
    for (const media of Object.keys(now).filter((one) => !Object.hasOwn(old, one)))
      this.#addRule(`${start}-media-type-added`, place, `the media type ${media} was added`)
  }

  #compareSchemas(
    before: Schema,
    after: Schema,
    place: string,
    [valuePrefix, propertyPrefix]: readonly [string, string],
  ): void {
    compareSchemas(before, after, {
      isSent: valuePrefix.startsWith("request"),
      valuePrefix,
      propertyPrefix,
      before: this.#oldDocument,
      after: this.#newDocument,
      report: (kind, severity, message) => this.#addChange(severity, kind, place, message),
    })
  }

  #addRule(kind: Rule, place: string, message: string): void {
    this.#addChange(changeRules[kind], kind, place, message)
  }

  #addChange(severity: Severity, kind: string, place: string, message: string): void {
    this.changes.push({ severity, kind, ...this.#location, place, message })
  }
}

/** Returns true if each value of a parameter is sent as its own `name=value` (OpenAPI 3.1.0 §4.8.12.2). */
function isExploded({ in: place, style = "form", explode = true }: Schema): boolean {
  return place === "query" && style === "form" && explode === true
}

/** The alternative for requests without credentials. */
const noCredentials = "no credentials"

function listAlternatives({ security }: Schema): string[] {
  const requirements = (security as Schema[]).map((way) => Object.keys(way).sort().join(" and ") || noCredentials)
  return requirements.length > 0 ? requirements : [noCredentials]
}

function describeParameter({ in: place, name }: Schema): string {
  return `${place} parameter ${name}`
}

/** Returns the schema of a parameter or header, which may be in its `content` (OpenAPI 3.1.0 §4.8.12.2). */
function findSchema({ schema, content }: Schema): Schema {
  const [inner] = Object.values(Object(content) as Content)
  return (schema as Schema | undefined) ?? inner?.schema ?? {}
}

function toStatusGroup(status: string): "success" | "non-success" {
  return status.startsWith("2") ? "success" : "non-success"
}

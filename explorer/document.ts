/** Reads an OpenAPI document into the form that the views need: references are resolved, and operations are a list. */

/** A JSON Schema as in OpenAPI 3.1. Version 3.0 has the same fields for most of it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly example?: unknown
  readonly examples?: readonly unknown[]
  readonly nullable?: boolean
  readonly deprecated?: boolean
  readonly readOnly?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly contains?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly [keyword: string]: unknown
}

/** A parameter in a path, a query, a header or a cookie. */
export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header" | "cookie"
  readonly description?: string
  readonly required?: boolean
  readonly deprecated?: boolean
  readonly schema?: Schema
  readonly example?: unknown
  readonly [extension: `x-${string}`]: unknown
}

/** The media types of a body, each with its schema. */
export type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>

/** A response that the document describes. Its status may also be a class such as `4XX`, or `default`. */
export interface ApiResponse {
  readonly status: string
  readonly description: string
  readonly content: Content
  readonly headers: Readonly<Record<string, { readonly description?: string; readonly schema?: Schema }>>
}

/** A way in which clients authenticate. */
export interface SecurityScheme {
  readonly name: string
  readonly type: "http" | "apiKey" | "oauth2" | "openIdConnect" | "mutualTLS"
  readonly scheme?: string
  readonly in?: "header" | "query" | "cookie"
  /** The name of the header, query parameter or cookie for an API key. */
  readonly key?: string
  readonly description?: string
}

/** An operation: a method of a path. */
export interface Operation {
  /** An id such as `get /users/{id}`. It is also in the URL of the page. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly deprecated: boolean
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly body?: { readonly description: string; readonly required: boolean; readonly content: Content }
  readonly responses: readonly ApiResponse[]
  /** Alternatives. Each is a list of schemes that are required together. An empty list means that none is required. */
  readonly security: readonly (readonly string[])[]
}

/** An OpenAPI document in the form that the views need. */
export interface Api {
  readonly title: string
  readonly version: string
  readonly description: string
  /** The absolute URL of the first server; empty if the document names none. */
  readonly server: string
  readonly operations: readonly Operation[]
  /** The tags in the order of the document, and after them those that only operations have. */
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly schemes: readonly SecurityScheme[]
  /** Follows a reference, and references that it leads to. A reference that leads nowhere becomes `{}`. */
  resolve<T extends object>(node: T | { readonly $ref: string }): T
}

// biome-ignore lint/suspicious/noExplicitAny: any server may have sent it, so code checks each field before using it
type Json = any

const methods = ["get", "post", "put", "patch", "delete", "head", "options", "trace"]

/** Reads a document. A field with a wrong type is treated as missing. */
export function readDocument(json: Json): Api {
  const resolve = createResolver(json)
  const operations: Operation[] = []
  for (const [path, item] of Object.entries<Json>(json.paths ?? {})) {
    for (const method of methods) if (item?.[method]) operations.push(readOperation(json, resolve, path, method))
  }
  return {
    title: toText(json.info?.title) || "API",
    version: toText(json.info?.version),
    description: toText(json.info?.description),
    server: toText(json.servers?.[0]?.url),
    operations,
    tags: collectTags(json, operations),
    schemes: Object.entries<Json>(json.components?.securitySchemes ?? {}).map(([name, scheme]) => {
      const { type, scheme: how, in: place, name: key, description } = resolve<Json>(scheme)
      return { name, type, scheme: toText(how).toLowerCase(), in: place, key, description }
    }),
    resolve,
  }
}

function createResolver(json: Json): Api["resolve"] {
  return (node: Json) => {
    let target = node
    for (let steps = 0; typeof target?.$ref === "string" && steps < 50; steps++) {
      const names = target.$ref.startsWith("#/") ? target.$ref.slice(2).split("/") : [""]
      target = names.reduce((inner: Json, name: string) => inner?.[unescapeName(name)], json)
    }
    return target && target.$ref === undefined ? target : {}
  }
}

/** Decodes a name in a reference, which may have the escapes of RFC 6901 §4 and percent-encoding (§6). */
function unescapeName(name: string): string {
  let decoded = name
  try {
    decoded = decodeURIComponent(name)
  } catch {}
  return decoded.replaceAll("~1", "/").replaceAll("~0", "~")
}

function readOperation(json: Json, resolve: Api["resolve"], path: string, method: string): Operation {
  const item = json.paths[path]
  const found = item[method]
  const body = found.requestBody && resolve<Json>(found.requestBody)
  return {
    id: `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    summary: toText(found.summary),
    description: toText(found.description),
    deprecated: found.deprecated === true,
    tags: Array.isArray(found.tags) ? found.tags.map(toText) : [],
    parameters: mergeParameters(resolve, item.parameters, found.parameters),
    ...(body && {
      body: {
        description: toText(body.description),
        required: body.required === true,
        content: body.content ?? {},
      },
    }),
    responses: Object.entries<Json>(found.responses ?? {}).map(([status, node]) => {
      const { description, content, headers } = resolve<Json>(node)
      return { status, description: toText(description), content: content ?? {}, headers: headers ?? {} }
    }),
    security: (found.security ?? json.security ?? []).map((needs: Json) => Object.keys(needs)),
  }
}

/**
 * Merges parameters. Those of an operation take precedence over those of its path (OpenAPI 3.1.0, Operation Object).
 */
function mergeParameters(resolve: Api["resolve"], shared: Json = [], own: Json = []): Parameter[] {
  const all = new Map<string, Parameter>()
  for (const node of [...shared, ...own]) {
    const parameter = resolve<Parameter>(node)
    if (parameter.name) all.set(`${parameter.in} ${parameter.name}`, parameter)
  }
  return [...all.values()]
}

function collectTags(json: Json, operations: readonly Operation[]): Api["tags"] {
  const described: { name: string; description: string }[] = (json.tags ?? []).map((tag: Json) => {
    return { name: toText(tag.name), description: toText(tag.description) }
  })
  const usedTags = new Set(operations.flatMap(({ tags }) => tags))
  const known = new Set(described.map(({ name }) => name))
  const rest = [...usedTags].filter((name) => !known.has(name)).map((name) => ({ name, description: "" }))
  return [...described.filter(({ name }) => usedTags.has(name)), ...rest]
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : ""
}

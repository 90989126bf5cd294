/** An OpenAPI document as the views need it: references followed, operations in a list. Read by every view. */

/** A JSON Schema of 3.1, or what 3.0 has for one. */
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
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly [keyword: string]: unknown
}

/** A parameter of a path, a query, a header or a cookie. */
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

/** What a body may be, by media type. */
export type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>

/** One answer. */
export interface ApiResponse {
  readonly status: string
  readonly description: string
  readonly content: Content
  readonly headers: Readonly<Record<string, { readonly description?: string; readonly schema?: Schema }>>
}

/** How a client proves who it is. */
export interface SecurityScheme {
  readonly name: string
  readonly type: "http" | "apiKey" | "oauth2" | "openIdConnect" | "mutualTLS"
  readonly scheme?: string
  readonly in?: "header" | "query" | "cookie"
  /** What the header, query parameter or cookie of an API key is called. */
  readonly key?: string
  readonly description?: string
}

/** One method of one path. */
export interface Operation {
  /** `get /users/{id}`: also its place in the page's address. */
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
  /** Alternatives: each a list of names that are needed together. An empty one: nothing is. */
  readonly security: readonly (readonly string[])[]
}

/** The whole document. */
export interface Api {
  readonly title: string
  readonly version: string
  readonly description: string
  /** Where the first server is, absolute; empty where the document names none. */
  readonly server: string
  readonly operations: readonly Operation[]
  /** Tags in the document's order, then those that only operations name. */
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly schemes: readonly SecurityScheme[]
  /** Follows a reference, through others too; what leads nowhere is `{}`. */
  resolve<T extends object>(node: T | { readonly $ref: string }): T
}

// biome-ignore lint/suspicious/noExplicitAny: a document from anywhere; each field is looked at before it is used.
type Json = any

const methods = ["get", "post", "put", "patch", "delete", "head", "options", "trace"]

/** Reads a document. Whatever a field should not be is taken as not there. */
export function readDocument(json: Json): Api {
  const resolve = resolverOf(json)
  const operations: Operation[] = []
  for (const [path, item] of Object.entries<Json>(json.paths ?? {})) {
    for (const method of methods) if (item?.[method]) operations.push(operation(json, resolve, path, method))
  }
  return {
    title: text(json.info?.title) || "API",
    version: text(json.info?.version),
    description: text(json.info?.description),
    server: text(json.servers?.[0]?.url),
    operations,
    tags: tagsOf(json, operations),
    schemes: Object.entries<Json>(json.components?.securitySchemes ?? {}).map(([name, scheme]) => {
      const { type, scheme: how, in: place, name: key, description } = resolve<Json>(scheme)
      return { name, type, scheme: text(how).toLowerCase(), in: place, key, description }
    }),
    resolve,
  }
}

function resolverOf(json: Json): Api["resolve"] {
  return (node: Json) => {
    let at = node
    for (let steps = 0; typeof at?.$ref === "string" && steps < 50; steps++) {
      const names = at.$ref.startsWith("#/") ? at.$ref.slice(2).split("/") : [""]
      at = names.reduce((inner: Json, name: string) => inner?.[unescaped(name)], json)
    }
    return at && at.$ref === undefined ? at : {}
  }
}

/** RFC 6901 §4, and percent-encoding as in a URI's fragment (§6). */
function unescaped(name: string): string {
  let decoded = name
  try {
    decoded = decodeURIComponent(name)
  } catch {}
  return decoded.replaceAll("~1", "/").replaceAll("~0", "~")
}

function operation(json: Json, resolve: Api["resolve"], path: string, method: string): Operation {
  const item = json.paths[path]
  const found = item[method]
  const body = found.requestBody && resolve<Json>(found.requestBody)
  return {
    id: `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    summary: text(found.summary),
    description: text(found.description),
    deprecated: found.deprecated === true,
    tags: Array.isArray(found.tags) ? found.tags.map(text) : [],
    parameters: parametersOf(resolve, item.parameters, found.parameters),
    ...(body && {
      body: {
        description: text(body.description),
        required: body.required === true,
        content: body.content ?? {},
      },
    }),
    responses: Object.entries<Json>(found.responses ?? {}).map(([status, node]) => {
      const { description, content, headers } = resolve<Json>(node)
      return { status, description: text(description), content: content ?? {}, headers: headers ?? {} }
    }),
    security: (found.security ?? json.security ?? []).map((needs: Json) => Object.keys(needs)),
  }
}

/** An operation's own parameters take the place of its path's (OpenAPI 3.1.0, Operation Object). */
function parametersOf(resolve: Api["resolve"], shared: Json = [], own: Json = []): Parameter[] {
  const all = new Map<string, Parameter>()
  for (const node of [...shared, ...own]) {
    const parameter = resolve<Parameter>(node)
    if (parameter.name) all.set(`${parameter.in} ${parameter.name}`, parameter)
  }
  return [...all.values()]
}

function tagsOf(json: Json, operations: readonly Operation[]): Api["tags"] {
  const described: { name: string; description: string }[] = (json.tags ?? []).map((tag: Json) => {
    return { name: text(tag.name), description: text(tag.description) }
  })
  const used = new Set(operations.flatMap(({ tags }) => tags))
  const known = new Set(described.map(({ name }) => name))
  const rest = [...used].filter((name) => !known.has(name)).map((name) => ({ name, description: "" }))
  return [...described.filter(({ name }) => used.has(name)), ...rest]
}

function text(value: unknown): string {
  return typeof value === "string" ? value : ""
}

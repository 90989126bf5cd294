/** Takes parts of an OpenAPI document: some operations and the components that they use. */
import { isBelow } from "./list-routes.ts"

/** The parts of a document that are used. */
export interface OpenAPIObject {
  readonly openapi: string
  readonly info: { readonly title: string }
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly security?: readonly SecurityRequirement[]
  readonly tags?: readonly { readonly name: string }[]
}

type PathItem = Readonly<Record<string, unknown>>
type SecurityRequirement = Readonly<Record<string, unknown>>

interface OperationObject {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly security?: readonly SecurityRequirement[]
}

/** An operation in a summary. A missing field is an empty string. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly summary: string
}

/** A filter for operations. An undefined field matches everything. */
export interface PartFilter {
  readonly path?: string | undefined
  readonly method?: string | undefined
  readonly tag?: string | undefined
  readonly operationId?: string | undefined
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

export function listOperations(document: OpenAPIObject, filter: PartFilter): Operation[] {
  const { path: below, method: methodFilter, tag, operationId: id } = filter
  return Object.entries(document.paths).flatMap(([path, item]) => {
    if (below !== undefined && !isBelow(path, below)) return []
    return methods.flatMap((method) => {
      const operation = item[method] as OperationObject | undefined
      if (!operation || (methodFilter !== undefined && method !== methodFilter.toLowerCase())) return []
      const { operationId = "", summary = "", tags = [] } = operation
      if ((tag !== undefined && !tags.includes(tag)) || (id !== undefined && operationId !== id)) return []
      return [{ method: method.toUpperCase(), path, operationId, summary }]
    })
  })
}

/** Returns a document with some operations and the components that they use, directly or indirectly. */
export function pickOperations(document: OpenAPIObject, operations: readonly Operation[]): OpenAPIObject {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [path, item] of Object.entries(document.paths)) {
    const methodsOfPath = new Set(
      operations.filter((one) => one.path === path).map(({ method }) => method.toLowerCase()),
    )
    if (methodsOfPath.size === 0) continue
    paths[path] = Object.fromEntries(
      Object.entries(item).filter(([key]) => !methods.includes(key) || methodsOfPath.has(key)),
    )
  }
  const { components, tags, ...rest } = document
  const used = findUsedComponents(document, paths)
  const tagNames = new Set(Object.values(paths).flatMap(listTags))
  const usedTags = tags?.filter(({ name }) => tagNames.has(name)) ?? []
  return {
    ...rest,
    ...(usedTags.length > 0 && { tags: usedTags }),
    paths,
    ...(Object.keys(used).length > 0 && { components: used }),
  }
}

function listTags(item: PathItem): readonly string[] {
  return methods.flatMap((method) => (item[method] as OperationObject | undefined)?.tags ?? [])
}

type Components = Record<string, Record<string, unknown>>

/** Returns the components to which a value refers, directly or indirectly. */
function findUsedComponents(document: OpenAPIObject, start: unknown): Components {
  const { components = {}, security = [] } = document
  const used: Components = {}
  const queue: unknown[] = [start, { security }]
  const add = (kind: string, name: string) => {
    const component = components[kind]?.[name]
    if (component === undefined || used[kind]?.[name] !== undefined) return
    used[kind] = { ...used[kind], [name]: component }
    queue.push(component)
  }
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (typeof next !== "object" || next === null) continue
    for (const [key, value] of Object.entries(next)) {
      if (key === "$ref" && typeof value === "string") {
        const [, kind, name] = /^#\/components\/([^/]+)\/([^/]+)/.exec(value) ?? []
        if (kind && name) add(kind, decodePointer(name))
      } else if (key === "mapping") {
        for (const target of Object.values(Object(value))) queue.push({ $ref: target })
      } else if (key === "security" && Array.isArray(value)) {
        for (const name of value.flatMap((one) => Object.keys(Object(one)))) add("securitySchemes", name)
      }
      queue.push(value)
    }
  }
  return used
}

/** Decodes a segment of a JSON pointer in a URL fragment (RFC 6901 §6). */
function decodePointer(token: string): string {
  return decodeURIComponent(token).replace(/~1/g, "/").replace(/~0/g, "~")
}

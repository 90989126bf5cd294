/** Takes parts of an OpenAPI document: some operations and the components that they use. */
import { selectUsedComponents } from "../openapi/document/components.ts"
import { isBelow } from "./list-routes.ts"

/** The parts of a document that are used. */
export interface OpenAPIObject {
  readonly openapi: string
  readonly info: { readonly title: string }
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components?: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly tags?: readonly { readonly name: string }[]
}

type PathItem = Readonly<Record<string, unknown>>

interface OperationObject {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
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

/** Returns a document with some operations the components that they use, directly or indirectly, and all security schemes. */
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
  const { components: { securitySchemes, ...all } = {}, tags, ...rest } = document
  const used = Object.entries({ ...selectUsedComponents(paths, all), ...(securitySchemes && { securitySchemes }) })
  const components = used.filter(([, group]) => Object.keys(group).length > 0)
  const tagNames = new Set(Object.values(paths).flatMap(listTags))
  const usedTags = tags?.filter(({ name }) => tagNames.has(name)) ?? []
  return {
    ...rest,
    ...(usedTags.length > 0 && { tags: usedTags }),
    paths,
    ...(components.length > 0 && { components: Object.fromEntries(components) }),
  }
}

function listTags(item: PathItem): readonly string[] {
  return methods.flatMap((method) => (item[method] as OperationObject | undefined)?.tags ?? [])
}

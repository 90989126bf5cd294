/** Finds the changes between two OpenAPI documents. */
import type { Schema } from "../document/schemas.ts"
import { type Change, changeRules, type Rule, severities } from "./change.ts"
import { getOwn, resolveReference, type WholeDocument } from "./normal-schema.ts"
import { compareOperations } from "./operations.ts"

/** The parts of a document that are compared. */
export interface ComparedDocument {
  readonly paths?: Readonly<Record<string, Schema>>
  readonly components?: Readonly<Record<string, Readonly<Record<string, Schema>>>>
  readonly security?: unknown
}

/** An operation of a document. */
export interface ComparedOperation {
  readonly method: string
  readonly path: string
  readonly operation: Schema
  readonly document: ComparedDocument
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

/**
 * Compares two documents.
 *
 * @returns the changes. The most severe come first, and those of equal severity are in the order of the paths.
 */
export function compareDocuments(before: object, after: object): Change[] {
  const changes: Change[] = []
  const report = (kind: Rule, message: string, { method = "", path = "" }: Partial<ComparedOperation> = {}) =>
    void changes.push({ severity: changeRules[kind], kind, method, path, place: "", message })
  const [old, now] = [listOperations(before as ComparedDocument), listOperations(after as ComparedDocument)]
  const paths = new Set([...now.values()].map(({ path }) => removeParameterNames(path)))
  for (const [key, one] of old) {
    const other = now.get(key)
    if (other) changes.push(...compareOperations(one, other))
    else {
      const isPath = !paths.has(removeParameterNames(one.path))
      const how = one.operation.deprecated ? "with-deprecation" : "without-deprecation"
      const text = one.operation.deprecated ? "the deprecated operation was removed" : "the operation was removed"
      report(`api-${isPath ? "path-" : ""}removed-${how}`, text, one)
    }
  }
  for (const [key, one] of now) if (!old.has(key)) report("endpoint-added", "the operation was added", one)
  compareComponents(before as ComparedDocument, after as ComparedDocument, report)
  return changes.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
}

/**
 * Returns the operations by method and path. Paths that differ only in the names of parameters are the same
 * (OpenAPI 3.1.0 §4.8.8.1).
 */
function listOperations(document: ComparedDocument): Map<string, ComparedOperation> {
  const found = new Map<string, ComparedOperation>()
  for (const [path, given] of Object.entries(document.paths ?? {})) {
    const item = resolveReference(given, document as WholeDocument)
    const shared = (item.parameters ?? []) as readonly Schema[]
    for (const method of methods) {
      const own = item[method] as Schema | undefined
      if (!own) continue
      const parameters = [...shared, ...((own.parameters ?? []) as readonly Schema[])]
      const operation = { ...own, parameters, security: own.security ?? document.security ?? [] }
      found.set(`${method} ${removeParameterNames(path)}`, {
        method: method.toUpperCase(),
        path,
        operation,
        document,
      })
    }
  }
  return found
}

function removeParameterNames(path: string): string {
  return path.replace(/\{[^{}]*\}/g, "{}")
}

function compareComponents(
  before: ComparedDocument,
  after: ComparedDocument,
  report: (kind: Rule, message: string) => void,
): void {
  const [schemas, others] = [before, after].map(({ components = {} }) => Object.keys(components.schemas ?? {}))
  for (const name of schemas ?? [])
    if (!others?.includes(name)) report("api-schema-removed", `the schema ${name} was removed`)
  const [schemes = {}, next = {}] = [before, after].map(({ components = {} }) => components.securitySchemes ?? {})
  for (const [name, scheme] of Object.entries(schemes)) {
    const other = getOwn(next, name)
    if (!other) report("api-security-component-removed", `the security scheme ${name} was removed`)
    else if (describeScheme(scheme) !== describeScheme(other))
      report(
        "api-security-component-type-changed",
        `the security scheme ${name} is ${describeScheme(other)} now, and was ${describeScheme(scheme)}`,
      )
  }
  for (const name of Object.keys(next).filter((one) => !Object.hasOwn(schemes, one)))
    report("api-security-component-added", `the security scheme ${name} was added`)
}

function describeScheme({ type, scheme, in: place, name }: Schema): string {
  return [type, scheme, place, name].filter((part) => part !== undefined).join(" ")
}

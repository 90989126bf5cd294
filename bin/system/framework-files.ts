/**
 * The files and names of fw that the command recognizes in a project's copy of fw when it reads types and bundles.
 * Paths are relative to the package's `dist/`, where declarations and entries have the same paths as in the
 * sources.
 */
import type { Context } from "../../lib/context.ts"
import type { TypedResponse } from "../../lib/types.ts"

/** The modules that declare the types that the type reader knows, without an extension. */
export const typeModules = {
  app: "lib/app",
  combine: "lib/middleware/combine",
  context: "lib/context",
  contextKey: "lib/context-key",
  group: "lib/group",
  proxy: "lib/proxy",
  types: "lib/types",
} as const

/** One of {@link typeModules}, or another module of fw. */
export type TypeModule = keyof typeof typeModules | "other"

/** The modules that declare the methods of a context. */
export const contextModules: readonly (TypeModule | null)[] = ["context", "contextKey"]

/** The types that the type reader knows by name, and the modules that declare them. */
export const typeNames = {
  HttpError: "lib/errors",
  StandardSchema: "lib/request/schema",
  TypedResponse: "lib/types",
} as const

/** A method of the context that returns a response. */
type AnswerMethod = {
  [Name in keyof Context]: Context[Name] extends (...given: never[]) => infer Result
    ? [Extract<Awaited<Result>, TypedResponse>] extends [never]
      ? never
      : Name
    : never
}[keyof Context]

/** The type makes sure that this list is complete: it does not compile if a method of the context is missing. */
const methodsWithAnswers: Readonly<Record<AnswerMethod, true>> = {
  json: true,
  html: true,
  page: true,
  xml: true,
  string: true,
  blob: true,
  file: true,
  stream: true,
  sse: true,
  noContent: true,
  redirect: true,
}

/** The methods of the context that return a response. */
export const answerMethods: readonly string[] = Object.keys(methodsWithAnswers)

/** The declarations of fw's entries, for a project that has not installed fw. */
export const entryDeclarations = {
  fw: "lib/index.d.ts",
  "fw/html": "lib/html.d.ts",
  "fw/links": "lib/links.d.ts",
  "fw/mcp": "lib/mcp.d.ts",
} as const

/**
 * The modules to which `#platform` resolves, without an extension. Every bundle contains one of them, which shows
 * its target.
 */
export const platformFiles = {
  bun: "adapters/platform/bun",
  deno: "adapters/platform/deno",
  executable: "adapters/platform/executable",
  node: "adapters/platform/node",
  workerd: "adapters/platform/workerd",
} as const

/** The parts of fw that can be left out of a bundle, with package conditions such as `fw-without-forms`. */
export const frameworkParts = ["cookies", "forms", "live", "logger", "messages", "pages"] as const

/** One of {@link frameworkParts}. */
export type FrameworkPart = (typeof frameworkParts)[number]

/** Returns true if a name is that of a certain type in {@link typeNames}. */
export function isTypeName(name: string | undefined, expected: keyof typeof typeNames): boolean {
  return name === expected
}

const moduleByPath = new Map<string, TypeModule>(
  (Object.entries(typeModules) as [TypeModule, string][]).map(([name, path]) => [path, name]),
)

/** Returns the module of fw for a path below `dist/`; null for a path outside `lib/`. */
export function findTypeModule(path: string): TypeModule | null {
  if (!path.startsWith("lib/")) return null
  return moduleByPath.get(path.replace(/\.d\.ts$/, "")) ?? "other"
}

/** The imports of a module that is translated separately: what it asks for, and which of it must exist. */
import type { BuildResult, Metafile } from "esbuild"
import type { Links } from "./bundle-graph.ts"

/** The imports of a module. */
export type Imports = readonly (readonly [
  specifier: string,
  name: string | null,
  exports: readonly string[],
])[]

/** Imports before it is known where they lead. `others`: what the module imports in other ways. */
interface Found {
  readonly imports: readonly (readonly [specifier: string, exports: readonly string[]])[]
  readonly others: readonly string[]
}

/** An import as esbuild prints it: the imported names, if any, and the source. */
const printed = /^(?:import|export)\s(?:([^"';]*?)\sfrom\s)?("(?:[^"\\\n]|\\.)*")(;?)/gm
const namespace = /^\* as \S+$/

/** The same as a person writes it, in one form of many: a statement of its own, without attributes and comments. */
const written =
  /^(?:import|export)\s+(?:([^"';()=/]*?)\s*\bfrom\s*)?(?:"([^"\\\n]*)"|'([^'\\\n]*)')[ \t]*;?[ \t]*$/gm
const typeOnly = /^type\s+(?!from\b|,|as\b)/

/**
 * An import as esbuild prints it in a CommonJS module: the variable and the specifier. The number marks a package with
 * `"type": "module"`.
 */
export const required = /^(?:var ([\w$]+) = )?(?:__toESM\()?require\(("(?:[^"\\\n]|\\.)*")\)(?:(?:, 1)?\))?;$/

/** Returns imports with their names in the bundle; null if they are unknown, or if one is new to it. */
export function linked(found: Found | null, links: Links): Imports | null {
  if (!found || found.others.some((path) => links.get(path) !== null)) return null
  const imports: (readonly [string, string | null, readonly string[]])[] = []
  for (const [specifier, exports] of found.imports) {
    const name = links.get(specifier)
    if (name === undefined) return null
    imports.push([specifier, name, exports])
  }
  return imports
}

/**
 * Returns the imports of a module from its source and its translation to CommonJS; null if they do not show which names must
 * exist. A name that is not used may be a type, or not be there: only a translation to an ES module shows it.
 */
export function readUsed(source: string, code: string, metafile: Metafile): Found | null {
  const asked = new Map<string, string[][]>()
  for (const [, clause = "", one, two] of source.matchAll(written)) {
    if (typeOnly.test(clause)) continue
    const names = readClause(clause)
    if (names === null) return null
    const specifier = one ?? two ?? ""
    asked.set(specifier, [...(asked.get(specifier) ?? []), names])
  }
  const used = new Set(code.match(/[\w$]+\.[\w$]+/g))
  const imports: (readonly [string, readonly string[]])[] = []
  for (const line of code.split("\n")) {
    const [, variable = "", quoted = ""] = required.exec(line) ?? []
    const names = quoted && asked.get(unquoted(quoted) ?? "")?.shift()
    if (quoted === "") continue
    if (!names || names.some((name) => !used.has(`${variable}.${name}`))) return null
    imports.push([unquoted(quoted) as string, names])
  }
  const isDone = [...asked.values()].every((rest) => rest.length === 0)
  return isDone ? compared(imports, metafile, "require-call") : null
}

/** Returns the imports of a module from its translation to an ES module; null if they are unknown. */
export function readPlain({
  outputFiles = [],
  metafile,
  warnings,
}: BuildResult<{ metafile: true }>): Found | null {
  const imports: (readonly [string, readonly string[]])[] = []
  for (const [, clause = "", quoted = "", end] of (outputFiles[0]?.text ?? "").matchAll(printed)) {
    const specifier = unquoted(quoted)
    const names = readClause(clause)
    if (specifier === null || names === null || end === "") return null
    imports.push([specifier, names])
  }
  return warnings.length > 0 ? null : compared(imports, metafile, "import-statement")
}

/** Returns imports if they are all that esbuild has found; otherwise null. @param kind the name that esbuild has for them. */
function compared(imports: Found["imports"], { outputs }: Metafile, kind: string): Found | null {
  const all = Object.values(outputs).flatMap((output) => output.imports)
  const paths = all.filter((one) => one.kind === kind).map(({ path }) => path)
  const read = imports.map(([specifier]) => specifier)
  if (paths.sort().join("\n") !== read.sort().join("\n")) return null
  return { imports, others: all.filter((one) => one.kind !== kind).map(({ path }) => path) }
}

function unquoted(text: string): string | null {
  try {
    return JSON.parse(text) as string
  } catch {
    return null
  }
}

/** Returns the exports that an import names, without types; null for `export *`, whose names are in another module. */
function readClause(clause: string): string[] | null {
  if (clause === "*") return null
  const [before = "", inner = ""] = clause.split(/[{}]/)
  const named = inner.split(",").map((item) => item.trim())
  const whole = before.split(",").map((item) => item.trim())
  return [
    ...whole.filter((item) => item !== "" && !namespace.test(item)).map(() => "default"),
    ...named
      .filter((item) => item !== "" && !/^type\s+(?!as\b)/.test(item))
      .map((item) => item.split(/\s+as\s+/)[0] as string),
  ]
}

/**
 * The modules of a bundle that a process may run before the program starts, because nobody can notice when they run: they declare
 * functions and simple constants, and import only such modules and packages.
 */

/** A module as esbuild writes it: its variables, the function that runs it, its path, and its statements. */
const module =
  /(?:^var ([\w$]+(?:, [\w$]+)*);\n)?^var ([\w$]+) = __esm\(\{\n {2}("(?:[^"\\\n]|\\.)*")\(\) \{\n((?: {4}.*\n)*) {2}\}\n\}\);$/gm

/** Statements that nobody notices: run an import, name a function, set a variable to a simple value. */
const run = /^ {4}([\w$]+)\(\);$/
const name = /^ {4}__name\([\w$]+, "(?:[^"\\]|\\.)*"\);$/
const set = /^ {4}([\w$]+) = (?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d[\w.]*|true|false|null);$/

interface Module {
  readonly path: string
  /** The functions that run its imports; null if its own statements may be noticed. */
  readonly imports: readonly string[] | null
}

/** Returns the paths of these modules, as the bundle's code names them. */
export function quietModules(code: string): string[] {
  const modules = new Map<string, Module>()
  for (const [, variables = "", init = "", path = '""', body = ""] of code.matchAll(module)) {
    // A text in the program that looks like a module makes the module a doubtful one.
    const imports = modules.has(init) ? null : importsOf(body, new Set(variables.split(", ")))
    modules.set(init, { path: JSON.parse(path) as string, imports })
  }
  const quiet = new Set([...modules.keys()].filter((init) => modules.get(init)?.imports))
  for (let size = -1; size !== quiet.size; ) {
    size = quiet.size
    for (const init of quiet) {
      if (modules.get(init)?.imports?.some((other) => !quiet.has(other))) quiet.delete(init)
    }
  }
  return [...quiet].map((init) => (modules.get(init) as Module).path)
}

function importsOf(body: string, variables: ReadonlySet<string>): string[] | null {
  const imports: string[] = []
  for (const line of body.split("\n").slice(0, -1)) {
    const init = run.exec(line)?.[1]
    if (init !== undefined) imports.push(init)
    else if (!name.test(line) && !isSimple(line, variables)) return null
  }
  return imports
}

/** Returns true for a statement that gives a variable of the module its value. Others may set a global. */
function isSimple(line: string, variables: ReadonlySet<string>): boolean {
  const variable = set.exec(line)?.[1]
  return variable !== undefined && variables.has(variable)
}

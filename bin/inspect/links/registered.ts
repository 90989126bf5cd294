/**
 * Finds the paths that code answers: the routes, mounted handlers and static directories that `main.ts` and its
 * modules register.
 */
import { type Pattern, parsePattern } from "../../../lib/pattern.ts"
import type { ModuleText } from "../../../lib/scan/exports.ts"
import { parseStringLiteral } from "../../../lib/scan/proxy-config.ts"
import type { ModuleToken } from "../../../lib/scan/tokens.ts"
import { handlerExports } from "../../../lib/tree.ts"
import { readImportNames } from "../../project/import-names.ts"
import { listModuleImports } from "../../project/module-imports.ts"
import { isText } from "../../project/module-tokens.ts"
import { tryReadModule } from "../../project/read-module.ts"
import { readStaticCall, type ServedDirectory } from "../../project/static-dir.ts"
import { findImports } from "../imports.ts"

/** A route that code registers. */
interface RegisteredRoute {
  readonly method: string
  readonly pattern: Pattern
  readonly file: string
}

/** A static directory that code registers. */
export interface RegisteredDirectory extends ServedDirectory {
  readonly prefix: string
}

/** The paths that code answers. */
export interface Registered {
  /** The registered routes. The method `*` stands for all methods. */
  readonly routes: readonly RegisteredRoute[]
  /** Paths at and below which anything may answer. */
  readonly prefixes: readonly string[]
  /** The static directories and their prefixes. */
  readonly directories: readonly RegisteredDirectory[]
  /** True if code may answer any path, because a pattern is computed or because of `notFound()`. */
  readonly mayAnswerAny: boolean
}

/** Methods of an app or group that register a handler, with the request method. */
const handlerMethods: ReadonlyMap<string, string> = new Map(
  Object.entries(handlerExports).map(([name, method]) => [name.toLowerCase(), method]),
)
/** Methods whose first argument is a prefix, below which anything may answer. */
const prefixMethods = new Set(["group", "mount", "mountHandler"])
/** The largest number of modules to read. */
const maxModules = 200

/** Reads what `main.ts` and the modules that it imports register. */
export async function readRegistered(root: string, main: ModuleText | null): Promise<Registered> {
  const reader = new RegistrationReader()
  if (!main) return reader
  const names = readImportNames(root)
  const knownFiles = new Set([main.file])
  const queue: ModuleText[] = [main]
  for (let module = queue.shift(); module; module = queue.shift()) {
    reader.read(module, module === main)
    for (const file of findImports(module, names)) {
      if (knownFiles.has(file) || knownFiles.size >= maxModules) continue
      knownFiles.add(file)
      const found = await tryReadModule(root, file)
      if (found) queue.push(found)
    }
  }
  return reader
}

/** The file of a call, and the object whose method is called. */
interface CallSource extends Pick<RegisteredRoute, "file"> {
  /** True if the object is certainly an app or a group. */
  readonly isApp: boolean
}

class RegistrationReader implements Registered {
  readonly routes: RegisteredRoute[] = []
  readonly prefixes: string[] = []
  readonly directories: RegisteredDirectory[] = []
  mayAnswerAny = false

  /**
   * Reads the calls of a module.
   *
   * @param isMain true for `main.ts`. Its other texts may be paths that its middleware answers.
   */
  read({ tokens, file }: ModuleText, isMain: boolean): void {
    const apps = findApps(tokens)
    this.mayAnswerAny ||= isPassedToPackage(tokens, apps)
    const usedTokens = new Set<ModuleToken>()
    for (const [at, { text }] of tokens.entries()) {
      if (tokens[at - 1]?.text !== "." || tokens[at + 1]?.text !== "(") continue
      const isApp = apps.has(tokens[at - 2]?.text ?? "")
      this.#readCall(text, tokens.slice(at + 2, at + 20), { file, isApp })
      for (const token of tokens.slice(at + 2, at + 5)) if (isText(token)) usedTokens.add(token)
    }
    if (!isMain) return
    for (const token of tokens) {
      const value = isText(token) && !usedTokens.has(token) ? parseStringLiteral(token.text) : ""
      if (/^\/[^/]/.test(value)) this.prefixes.push(value)
    }
  }

  #readCall(name: string, argumentTokens: readonly ModuleToken[], call: CallSource): void {
    const [first, after, second] = argumentTokens
    const { isApp } = call
    const isSingleToken = after?.text === "," || after?.text === ")"
    const text = first && isText(first) && isSingleToken ? parseStringLiteral(first.text) : undefined
    const method = handlerMethods.get(name)
    if (name === "notFound" || name === "setProxy") this.mayAnswerAny ||= isApp
    else if (name === "openapi") this.#addRoute("GET", findOpenAPIPath(first, second, text), call)
    // Other paths may be in the options, which are read with the other texts.
    else if (name === "health" && isApp) this.prefixes.push("/health/live", "/health/ready")
    else if (name === "static" && text !== undefined) this.#addDirectory(text, argumentTokens)
    else if (name === "registerRoute") {
      const pattern = second && isText(second) ? parseStringLiteral(second.text) : undefined
      if (pattern === undefined) this.mayAnswerAny ||= isApp
      else this.#addRoute(text?.toUpperCase() ?? "*", pattern, call)
    } else if (method || prefixMethods.has(name) || name === "static") {
      if (text === undefined)
        this.mayAnswerAny ||= isApp && first?.text !== ")" && !(name === "mount" && first?.kind === "word")
      else if (method) this.#addRoute(method, text, call)
      else this.prefixes.push(text)
    }
  }

  #addDirectory(prefix: string, argumentTokens: readonly ModuleToken[]): void {
    const served = readStaticCall(argumentTokens)
    if (served) this.directories.push({ prefix, ...served })
    else this.prefixes.push(prefix)
  }

  #addRoute(method: string, text: string, { file }: CallSource): void {
    // A pattern without a slash at its start belongs to a group, whose prefix is already known.
    if (!text.startsWith("/")) return
    try {
      this.routes.push({ method, pattern: parsePattern(text), file })
    } catch {
      // The app itself reports an invalid pattern, with a better message.
    }
  }
}

/** Returns the path of the document of `app.openapi()`. */
function findOpenAPIPath(
  first: ModuleToken | undefined,
  second: ModuleToken | undefined,
  text: string | undefined,
): string {
  if (text !== undefined) return text
  // The path is elsewhere in the options, and is read with the other texts of the file.
  return first?.text === "{" && second?.text === "path" ? "" : "/openapi.json"
}

/** Returns true if an app or group is passed to a function of a package, which may register anything. */
function isPassedToPackage(tokens: readonly ModuleToken[], apps: ReadonlySet<string>): boolean {
  const packages = listModuleImports(tokens).filter(({ specifier }) => !/^(?:[./#]|fw(?:\/|$))/.test(specifier))
  const foreignNames = new Set(packages.flatMap(({ names }) => names.map(({ local }) => local)))
  return tokens.some(({ text, depth }, at) => {
    const isArgument = /^[(,]$/.test(tokens[at - 1]?.text ?? "") && /^[),]$/.test(tokens[at + 1]?.text ?? "")
    if (!apps.has(text) || !isArgument) return false
    const openIndex = tokens.findLastIndex((token, index) => index < at && token.text === "(" && token.depth < depth)
    // Goes back to the first name in a call such as docs.setup(app).
    let firstIndex = openIndex - 1
    while (tokens[firstIndex - 1]?.text === ".") firstIndex -= 2
    return foreignNames.has(tokens[firstIndex]?.text ?? "")
  })
}

/** Returns the names that are certainly an app or a group: `x = new App(`, `x: App`, `x: RouteGroup`. */
function findApps(tokens: readonly ModuleToken[]): ReadonlySet<string> {
  const names = tokens.flatMap(({ text }, at) => {
    const before = [tokens[at - 1]?.text, tokens[at - 2]?.text, tokens[at - 3]?.text]
    if (text === "App" && before[0] === "new" && before[1] === "=") return [before[2] ?? ""]
    return (text === "App" || text === "RouteGroup") && before[0] === ":" ? [before[1] ?? ""] : []
  })
  return new Set(names)
}

/** Knows which paths a project answers: routes, static files, and code of which only the paths are known. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { canonicalizePath, encodePath } from "../../../lib/path.ts"
import { parsePattern, type Segment } from "../../../lib/pattern.ts"
import type { ModuleText } from "../../../lib/scan/exports.ts"
import { parseStringLiteral } from "../../../lib/scan/proxy-config.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import { type BrowserEntries, findBrowserEntries } from "../../assets/entries.ts"
import { findStyles } from "../../project/static-dir.ts"
import { readMatchers } from "../checks/matchers.ts"
import { findLiteralStart, type LinkTarget, mayMatch } from "./link-target.ts"
import { type Registered, readRegistered } from "./registered.ts"
import { isBelow, readStaticFiles, type StaticDirectory } from "./static-files.ts"

/** A route of the project. */
export interface KnownRoute {
  /** The method; `*` stands for all methods. */
  readonly method: string
  readonly pattern: string
  readonly segments: readonly Segment[]
  readonly file: string
}

/** A static directory and its files. */
interface ServedFiles extends StaticDirectory {
  readonly paths: ReadonlySet<string>
}

/** Everything in a project that answers requests. */
export class Answers {
  readonly routes: readonly KnownRoute[]
  readonly served: readonly ServedFiles[]
  readonly #prefixes: readonly string[]
  readonly #mayProxyAnswer: (path: string) => boolean
  /** True if some code may answer any path. */
  readonly mayAnswerAny: boolean

  constructor(
    routes: readonly KnownRoute[],
    served: readonly ServedFiles[],
    prefixes: readonly string[],
    mayProxyAnswer: (path: string) => boolean,
    mayAnswerAny: boolean,
  ) {
    this.routes = routes
    this.served = served
    this.#prefixes = prefixes
    this.#mayProxyAnswer = mayProxyAnswer
    this.mayAnswerAny = mayAnswerAny
  }

  /** Returns the routes that a link may lead to, with any method. */
  findRoutes(target: LinkTarget): KnownRoute[] {
    return this.routes.filter(({ segments }) => mayMatch(target, segments))
  }

  /** Returns true if a link leads to a static file, or to a file that will exist later. */
  isFile(target: LinkTarget): boolean {
    const { path, isWhole } = findLiteralStart(target)
    const served = this.findDirectory(target)
    if (!served) return false
    // If only the start of the file's name is known, the file may be an upload.
    if (!isWhole) return served.prefix !== "/" || [...served.paths].some((file) => mayLeadTo(target, file))
    const url = encodePath(path === "/" ? "" : path)
    return ["", "/index.html"].some((end) => served.paths.has(`${url}${end}`))
  }

  /** Returns the static directory that a link leads into. */
  findDirectory(target: LinkTarget): ServedFiles | undefined {
    const { path } = findLiteralStart(target)
    return this.served.find(({ prefix }) => isBelow(path, prefix))
  }

  /** Returns true if code may answer a link in a way that its source does not show. */
  isUncertain(target: LinkTarget): boolean {
    const { path, isWhole } = findLiteralStart(target)
    if (this.mayAnswerAny || this.#mayProxyAnswer(encodePath(path) + (isWhole ? "" : "x"))) return true
    return this.#prefixes.some((prefix) => isBelow(path, prefix) || (!isWhole && prefix.startsWith(path)))
  }
}

/** Returns true if a link may lead to the file at a URL. */
function mayLeadTo(target: LinkTarget, url: string): boolean {
  const values = url.slice(1).split("/").map(decodeURIComponent)
  return mayMatch(
    target,
    values.map((value) => ({ kind: "static", value })),
  )
}

/** The parts of a project that answer requests. */
export interface AnsweringProject {
  readonly tree: RouteTree
  readonly mainModule: ModuleText | null
  /** The files of the route directory. */
  readonly files: readonly { readonly file: string; readonly module: ModuleText | null }[]
}

/**
 * Reads everything that answers requests. Does not run the project's code.
 *
 * @param given what `main.ts` registers, if it was read before.
 */
export async function readAnswers(
  root: string,
  { tree, mainModule: main, files: treeFiles }: AnsweringProject,
  given?: Registered,
): Promise<Answers> {
  const registered = given ?? (await readRegistered(root, main))
  const proxy = treeFiles.find(({ file }) => file === tree.proxy?.file)?.module ?? null
  const foundRoutes = [
    ...tree.pages.map(({ pattern, file }) => ({ method: "GET", pattern: parsePattern(pattern), file })),
    ...tree.routes.map(({ method, pattern, file }) => ({ method, pattern: parsePattern(pattern), file })),
    ...registered.routes,
  ]
  const routes = foundRoutes.map(({ method, pattern, file }) => {
    return { method, pattern: pattern.text, segments: pattern.segments, file }
  })
  const files = await readStaticFiles(root, main, registered.directories)
  const { output: styles } = findStyles(root)
  const served = files.map(({ paths, ...directory }): ServedFiles => {
    const { prefix, dir } = directory
    // The stylesheet may not be compiled yet when links are checked.
    const generatedPaths = styles.startsWith(`${dir}/`) ? [`${prefix}${styles.slice(dir.length)}`] : []
    return { ...directory, paths: new Set([...paths, ...generatedPaths]) }
  })
  const entries = await findBrowserEntries({ root, appDir: tree.appDir })
  const isAssetsFree = !served.some(({ prefix }) => isBelow("/assets", prefix))
  if (isAssetsFree || entries.entries.length > 0) served.push(toServedEntries(entries))
  served.sort((a, b) => b.prefix.length - a.prefix.length)
  // Some directories, such as data/uploads, do not exist before the first upload.
  const missingDirectories = registered.directories.filter(({ dir }) => !existsSync(join(root, dir)))
  const prefixes = ["/__fw", ...registered.prefixes, ...missingDirectories.map(({ prefix }) => prefix)]
  return new Answers(routes, served, prefixes, await createProxyTest(tree, proxy), registered.mayAnswerAny)
}

function toServedEntries({ directory, entries }: BrowserEntries): ServedFiles {
  const paths = new Set(entries.flatMap(({ kind, name }) => (kind === "element" ? [] : [name])))
  return { prefix: "/assets", dir: directory, by: "default", isEmbedded: true, paths }
}

/** Returns a function that tells whether the proxy may answer a path or send the request elsewhere. */
async function createProxyTest({ proxy }: RouteTree, module: ModuleText | null): Promise<(path: string) => boolean> {
  if (!proxy) return () => false
  if (!module) return () => true
  const { matchers, excludes } = await readMatchers(proxy, module)
  const covers = (path: string) => {
    const isIn = proxy.matchers.length === 0 || matchers.some(({ test }) => test(path))
    return isIn && !excludes.some(({ test }) => test(path))
  }
  const literalPaths = module.tokens.flatMap(({ kind, text }, at) => {
    const call = module.tokens[at - 1]?.text === "(" ? module.tokens[at - 2]?.text : undefined
    if (kind !== "string" || text[1] !== "/" || call === "redirect" || call === "rewrite") return []
    return [{ text: parseStringLiteral(text), isStart: call === "startsWith" }]
  })
  const computesTarget = hasComputedTarget(module)
  return (path) => {
    if (!covers(toSafePath(path))) return false
    return (
      computesTarget || literalPaths.some(({ text, isStart }) => text === path || (isStart && path.startsWith(text)))
    )
  }
}

function toSafePath(path: string): string {
  try {
    return canonicalizePath(path)
  } catch {
    return "/"
  }
}

/**
 * Returns true if the proxy computes where it sends a request. A constant, such as the path of a login page, is not
 * computed.
 */
function hasComputedTarget({ tokens }: ModuleText): boolean {
  return tokens.some(({ text }, at) => {
    const isCall = (text === "rewrite" || text === "redirect") && tokens[at + 1]?.text === "("
    const [to, after] = [tokens[at + 2], tokens[at + 3]]
    if (isCall && !/^[,)]$/.test(after?.text ?? "")) return true
    if (isCall && to?.kind === "template") return to.text.includes("${")
    // fetch() asks another server, whose answer is not known.
    return text === "fetch" && tokens[at + 1]?.text === "("
  })
}

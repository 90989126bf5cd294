/** The code of a project that runs before a new page, and may refuse its requests. */
import { directorySource } from "../../adapters/disk/directory.ts"
import { env } from "../../adapters/disk/env.ts"
import { FwError } from "../../lib/errors.ts"
import { compileProxyConfig } from "../../lib/proxy-matchers.ts"
import type { ModuleText } from "../../lib/scan/exports.ts"
import type { Token } from "../../lib/scan/tokens.ts"
import { scan } from "../../lib/scan.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { moduleOf } from "../inspect/checks/misplaced-files.ts"
import { importsOf, specifiersOf } from "../inspect/imports.ts"
import { importNames } from "../project/import-names.ts"
import { closeOf } from "../project/module-tokens.ts"
import type { NewFile } from "./files.ts"
import { type RouteProject, withFiles } from "./places.ts"

/** The files that may refuse the requests of a page. The main file is first, then the proxy, then middleware from the outside. */
export interface Guards {
  /** Those that a session of `fw generate auth` satisfies. */
  readonly sessions: readonly string[]
  readonly others: readonly string[]
  /** True if the main file or one of them uses `csrf()`. */
  readonly csrf: boolean
}

/** Text of a file that refuses visitors. Code that it imports from the project may refuse them, too. */
const refusing =
  /unauthorized|forbidden|notFound|redirect|auth|jwt|ipRestriction|signed|HttpError|responseJSON|\bimport\(|\b4\d\d\b/i
const sessionModule = "lib/auth/session-cookie.ts"

/**
 * Returns the guards of a new page. Without a scan, because the project has errors, only those of the main file are known: the
 * command reports the errors that concern it.
 *
 * @param main the main file; null if there is none.
 * @param page the file of the page, one of the files.
 * @param url a path that the page answers.
 */
export async function guardsOf(
  { cwd, appDir, main }: RouteProject & { readonly main: string | null },
  files: readonly NewFile[],
  { page, url }: { readonly page: string; readonly url: string },
): Promise<Guards> {
  const tree = await treeOf(cwd, appDir, files)
  const start = main === null ? null : await moduleOf(cwd, main)
  const modules = await modulesOf(cwd, tree === null ? [] : await above(tree, page, url))
  const names = importNames(cwd)
  const refuse = modules.filter(mayRefuse)
  const sessions = refuse.filter((module) => takesSession(module, importsOf(module, names)))
  const others = [
    ...(start !== null && usesGuard(start) ? [start] : []),
    ...refuse.filter((module) => !sessions.includes(module)),
  ]
  return {
    sessions: sessions.map(({ file }) => file),
    others: others.map(({ file }) => file),
    csrf: /\bcsrf\(/.test(start?.source ?? "") || modules.some(({ source }) => /\bcsrf\b/.test(source)),
  }
}

/** Returns the files that run before a page: the proxy and the middleware of directories. */
async function above(tree: RouteTree, page: string, url: string): Promise<string[]> {
  const { middleware = [] } = tree.pages.find(({ file }) => file === page) ?? {}
  const directories = middleware.flatMap((index) => tree.middleware[index]?.file ?? [])
  return [...(await proxyOf(tree, url)), ...directories]
}

async function modulesOf(cwd: string, files: readonly string[]): Promise<ModuleText[]> {
  const modules = await Promise.all(files.map((file) => moduleOf(cwd, file)))
  return modules.filter((one) => one !== null)
}

async function treeOf(cwd: string, appDir: string, files: readonly NewFile[]): Promise<RouteTree | null> {
  try {
    return await scan(withFiles(directorySource(cwd), files), appDir)
  } catch (error) {
    if (error instanceof FwError) return null
    throw error
  }
}

/** Returns the file of the proxy, if it runs for the path. */
async function proxyOf({ proxy }: RouteTree, url: string): Promise<string[]> {
  if (!proxy) return []
  const { matchers, excludes } = proxy
  const covers = await compileProxyConfig({ matchers, excludes }, () => env.urlPattern())
  return covers(url) ? [proxy.file] : []
}

/** Returns true if a file may refuse a visitor. A check for other sites, as of `csrf()`, does not count. */
function mayRefuse(module: ModuleText): boolean {
  return othersOf(module).length > 0 || refusing.test(module.source)
}

/** Returns true if a file asks for a session of `fw generate auth`, and for nothing else of the project. */
function takesSession(module: ModuleText, files: readonly string[]): boolean {
  const isProxy = /\bProxyConfig\b/.test(module.source)
  const sessions = files.filter((file) => file === sessionModule)
  return sessions.length > 0 && (isProxy || othersOf(module).length === sessions.length)
}

/** Returns true if a main file gives `app.use()` something that may refuse a visitor, or that is not of fw. */
function usesGuard({ source, tokens }: ModuleText): boolean {
  const others = namesOfOthers(tokens)
  return tokens.some(({ text }, at) => {
    if (text !== "use" || tokens[at - 1]?.text !== "." || tokens[at + 1]?.text !== "(") return false
    const end = closeOf(tokens, at + 1)
    const used = tokens.slice(at + 2, end)
    const refuses = refusing.test(source.slice(tokens[at + 1]?.start, tokens[end]?.start))
    return refuses || used.some(({ kind, text }) => kind === "word" && others.has(text))
  })
}

/** Returns the names that a module imports from others than fw and Node, and those of its own functions that refuse visitors. */
function namesOfOthers(tokens: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [at, { text, kind, depth }] of tokens.entries()) {
    if (text === "from" && !/^.(?:fw|node:.*).$/.test(tokens[at + 1]?.text ?? "")) {
      const start = tokens.findLastIndex((token, i) => i < at && token.text === "import")
      for (const token of tokens.slice(start + 1, at)) if (token.kind === "word") names.add(token.text)
    }
    if (depth > 0 || kind !== "word" || !/^(?:function|const|let)$/.test(tokens[at - 1]?.text ?? "")) continue
    const next = tokens.findIndex((token, i) => i > at && token.depth === 0 && token.newline)
    const body = tokens.slice(at, next < 0 ? undefined : next)
    if (body.some((token) => refusing.test(token.text))) names.add(text)
  }
  return names
}

function othersOf(module: ModuleText): string[] {
  return specifiersOf(module).filter((name) => name !== "fw")
}

/** The code of a project that runs before a new page, and may refuse its requests. */
import { directorySource } from "../../adapters/disk/directory.ts"
import { env } from "../../adapters/disk/env.ts"
import { FwError } from "../../lib/errors.ts"
import { compileProxyConfig } from "../../lib/proxy-matchers.ts"
import type { ModuleText } from "../../lib/scan/exports.ts"
import { scan } from "../../lib/scan.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { moduleOf } from "../inspect/checks/misplaced-files.ts"
import { aliasesOf, importsOf, specifiersOf } from "../inspect/imports.ts"
import type { NewFile } from "./files.ts"
import { type RouteProject, withFiles } from "./places.ts"

/** The files that may refuse the requests of a page. */
export interface Guards {
  /** Outermost first: the proxy, then the middleware of directories. */
  readonly files: readonly string[]
  /** True if a session of `fw generate auth` satisfies all of them. */
  readonly isSession: boolean
  /** True if one of them uses `csrf()`. */
  readonly csrf: boolean
}

const none: Guards = { files: [], isSession: false, csrf: false }

/** Text of a file that refuses visitors. Code that it imports from the project may refuse them, too. */
const refusing =
  /unauthorized|forbidden|notFound|redirect|auth|jwt|signed|HttpError|responseJSON|\bimport\(|\b4\d\d\b/i
const sessionModule = "lib/auth/session-cookie.ts"

/**
 * Returns the guards of a new page. Without a scan, because the project has errors, there are none: the command reports those
 * that concern it.
 *
 * @param page the file of the page, one of the files.
 * @param url a path that the page answers.
 */
export async function guardsOf(
  { cwd, appDir }: RouteProject,
  files: readonly NewFile[],
  { page, url }: { readonly page: string; readonly url: string },
): Promise<Guards> {
  const tree = await treeOf(cwd, appDir, files)
  if (tree === null) return none
  const { middleware = [] } = tree.pages.find(({ file }) => file === page) ?? {}
  const above = [
    ...(await proxyOf(tree, url)),
    ...middleware.flatMap((index) => tree.middleware[index]?.file ?? []),
  ]
  const modules = (await Promise.all(above.map((file) => moduleOf(cwd, file)))).filter((one) => one !== null)
  const refuse = modules.filter(mayRefuse)
  const aliases = aliasesOf(cwd)
  return {
    files: refuse.map(({ file }) => file),
    isSession:
      refuse.length > 0 && refuse.every((module) => takesSession(module, importsOf(module, aliases))),
    csrf: modules.some(({ source }) => /\bcsrf\b/.test(source)),
  }
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

function othersOf(module: ModuleText): string[] {
  return specifiersOf(module).filter((name) => name !== "fw")
}

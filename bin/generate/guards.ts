/** Finds the code that runs before a new page and may refuse its requests. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { createDirectorySource } from "../../adapters/disk/directory.ts"
import { env } from "../../adapters/disk/env.ts"
import { FwError } from "../../lib/errors.ts"
import { compileProxyConfig } from "../../lib/proxy-matchers.ts"
import { scan } from "../../lib/scan.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { listModuleImports } from "../project/module-imports.ts"
import { readTokens } from "../project/module-tokens.ts"
import type { NewFile } from "./files.ts"
import { addFiles, type RouteProject } from "./route-paths.ts"

/**
 * The files that may refuse the page's requests: the main file, then the proxy, then the middleware from the
 * outside in.
 */
export interface Guards {
  /** Files that accept a session of `fw generate auth`. */
  readonly sessions: readonly string[]
  readonly others: readonly string[]
  /** True if the main file or one of these files uses `csrf()`. */
  readonly csrf: boolean
}

/** Matches code that may refuse visitors. */
const refusalPattern =
  /unauthorized|forbidden|notFound|redirect|auth|jwt|ipRestriction|signed|HttpError|responseJSON|\bimport\(|\b4\d\d\b/i
/** Matches an import of another module than fw, which may refuse visitors too. */
const foreignImportPattern = /\bfrom\s*["'](?!fw["'])/
const sessionPattern = /\blib\/auth\/sessions\.ts["']/

/**
 * Returns the guards of a new page. If the project cannot be scanned because of errors, only the guards in the main
 * file are known. The command reports these errors itself.
 *
 * @param main the main file; null if there is none.
 * @param page the file of the page.
 * @param url a path of the page.
 */
export async function findGuards(
  { cwd, appDir, main }: RouteProject & { readonly main: string | null },
  files: readonly NewFile[],
  { page, url }: { readonly page: string; readonly url: string },
): Promise<Guards> {
  const read = (file: string) => readFile(join(cwd, file), "utf8")
  const tree = await scanWithFiles(cwd, appDir, files)
  const mainText = main === null ? "" : await read(main)
  const filesAbove = tree === null ? [] : await listFilesAbove(tree, page, url)
  const textsAbove = await Promise.all(filesAbove.map(async (file) => ({ file, text: await read(file) })))
  const importedNames = listModuleImports(readTokens(main ?? "", mainText)).flatMap(({ specifier, names }) =>
    specifier === "fw" || specifier.startsWith("node:") ? [] : names.map(({ local }) => local),
  )
  const mayRefuse = (line: string) =>
    refusalPattern.test(line) ||
    importedNames.some((name) => new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(line))
  const refusingFiles = textsAbove.filter(({ text }) => refusalPattern.test(text) || foreignImportPattern.test(text))
  const isUsed = mainText.split("\n").some((line) => /\.use\(/.test(line) && mayRefuse(line))
  const others = refusingFiles.filter(({ text }) => !sessionPattern.test(text)).map(({ file }) => file)
  return {
    sessions: refusingFiles.filter(({ text }) => sessionPattern.test(text)).map(({ file }) => file),
    others: main !== null && isUsed ? [main, ...others] : others,
    csrf: /\bcsrf\(/.test(mainText) || textsAbove.some(({ text }) => /\bcsrf\b/.test(text)),
  }
}

/**
 * Returns the files that run before a page: the proxy, if it applies to the path, and the middleware of
 * directories.
 */
async function listFilesAbove({ pages, middleware, proxy }: RouteTree, page: string, url: string): Promise<string[]> {
  const { middleware: middlewareIndexes = [] } = pages.find(({ file }) => file === page) ?? {}
  const directories = middlewareIndexes.flatMap((index) => middleware[index]?.file ?? [])
  if (!proxy) return directories
  const { file, matchers, excludes } = proxy
  const covers = await compileProxyConfig({ matchers, excludes }, () => env.loadURLPattern())
  return covers(url) ? [file, ...directories] : directories
}

async function scanWithFiles(cwd: string, appDir: string, files: readonly NewFile[]): Promise<RouteTree | null> {
  try {
    return await scan(addFiles(createDirectorySource(cwd), files), appDir)
  } catch (error) {
    if (error instanceof FwError) return null
    throw error
  }
}

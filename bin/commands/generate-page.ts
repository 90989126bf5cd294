/** `fw generate page`: writes the `page.tpl` of a page and, on request, a layout. */
import type { TreePage } from "../../lib/tree.ts"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io, View } from "../cli/terminal.ts"
import { type NewFile, type NewFilesResult, writeNewFiles } from "../generate/files.ts"
import { createNestedLayout } from "../generate/layout-file.ts"
import { formatFiles } from "../generate/result-text.ts"
import { checkNoConflicts, findAppDir, readRoutePath, scanNewFiles } from "../generate/route-paths.ts"
import type * as specs from "../specs/generate.ts"

/** The files that were written, and the URL patterns of the page. */
export interface GeneratePageData extends NewFilesResult {
  /** The URL patterns of the page. An optional catch-all has two: without its last segment and with it. */
  readonly patterns: readonly string[]
}

/**
 * Writes the page.
 *
 * @throws FwError for an invalid path, for a conflict, and if the files exist.
 */
export async function run(
  { path, withLayout, appDir, force }: OptionsOf<typeof specs.page>,
  { cwd, signal }: Pick<Io, "cwd" | "signal">,
): Promise<GeneratePageData> {
  const routeDirectory = await findAppDir({ cwd, appDir })
  const names = readRoutePath(path)
  const directory = [...(routeDirectory === "." ? [] : [routeDirectory]), ...names].join("/")
  const toFile = (name: string) => (directory === "" ? name : `${directory}/${name}`)
  const { pages } = await scanNewFiles(routeDirectory, [{ file: toFile("page.tpl"), text: "template Page() {}" }])
  const files: NewFile[] = [{ file: toFile("page.tpl"), text: renderPage(pages) }]
  if (withLayout) files.push(await createNestedLayout(cwd, routeDirectory, names))
  await checkNoConflicts({ cwd, appDir: routeDirectory }, files)
  const result = await writeNewFiles(files, { root: cwd, within: routeDirectory, force, signal })
  return { ...result, patterns: pages.map(({ pattern }) => pattern) }
}

/** Returns a template that shows the page's title and its path parameters. */
function renderPage(pages: readonly TreePage[]): string {
  const { pattern, rest, title } = pages.at(-1) as TreePage
  const params = [...pattern.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string)
  if (rest !== undefined) params.push(rest)
  const lines = params.map((name) => `  <p>${name}: {c.param(${JSON.stringify(name)})}</p>\n`)
  const parameter = params.length > 0 ? "c: Context" : ""
  return `${params.length > 0 ? 'import type { Context } from "fw"\n\n' : ""}export const title = ${JSON.stringify(title)}

template Page(${parameter}) {
  <h1>{title}</h1>
${lines.join("")}}
`
}

/** Returns a line for each file, and the URL of the page. */
export function print({ patterns, ...result }: GeneratePageData, view: View): string {
  return `${formatFiles(result, view)}  The page answers GET ${patterns.join(" and ")}.\n`
}

/** `fw build --target static`: writes the prerendered pages as a directory that any host can serve. */
import { join, resolve } from "node:path"
import { escapeHtml } from "../../lib/html/escape.ts"
import { compareByCodeUnit } from "../../lib/order.ts"
import { findMediaType } from "../../lib/static/media-types.ts"
import type { Io } from "../cli/terminal.ts"
import { buildFault } from "../messages/build.ts"
import { addRegisteredRoutes } from "../openapi/registered-routes.ts"
import type { Problem } from "../project/problems.ts"
import { fillDirectory } from "../system/whole-directory.ts"
import { type BuildOptions, openProject, type PreparedBuild, prepareBuild, printWarnings } from "./build.ts"
import { pagesKind } from "./bundle-kinds.ts"
import { checkOutside, formatOutputPath, toOutputPlace } from "./output.ts"
import { pagesEntryFile } from "./pages/make-pages.ts"
import type { PageAnswer } from "./pages/page-answer.ts"
import { checkDirectory, writeMarker } from "./target.ts"

/** A route that needs a server, so the directory does not contain it. */
export interface LeftOutRoute {
  readonly method: string
  readonly pattern: string
  readonly file: string
  /** The status with which a middleware answers visitors. Undefined for a route that is not prerendered. */
  readonly status?: number
}

/** The files that were written. */
export interface BuiltStatic {
  readonly target: "static"
  /** The directory, as the user would write it. */
  readonly directory: string
  /** Number of prerendered answers. */
  readonly pages: number
  /** Number of files. */
  readonly files: number
  /** Size of the files in bytes. */
  readonly size: number
  /** True if there is a `sitemap.xml`. */
  readonly sitemap: boolean
  /** The routes that were left out, because they need a server. */
  readonly leftOut: readonly LeftOutRoute[]
}

/** The files by path, with forward slashes. */
type SiteFiles = Map<string, Uint8Array | string>

/** The statuses of redirects with a `Location`. */
const redirectStatuses = [301, 302, 303, 307, 308]

/**
 * Builds the project.
 *
 * @throws FwError for a mistake in the project or the output, and if no page is prerendered. Nothing is written
 * then.
 */
export async function buildStatic(
  { output, isStrict, settings }: Pick<BuildOptions, "output" | "isStrict" | "settings">,
  io: Io,
): Promise<BuiltStatic> {
  const project = openProject(io)
  const { root, appDir } = project
  const path = resolve(root, output ?? join("dist", "static"))
  checkOutside(root, path, [appDir, "static"])
  await checkDirectory(root, path)
  const options = { project, kind: pagesKind, entry: pagesEntryFile, outfile: pagesEntryFile, isStrict, settings }
  const prepared = await prepareBuild(options, io)
  const names = prepared.directories.map(({ name }) => name)
  checkOutside(root, path, names)
  const { answers, refusals } = prepared.pages as NonNullable<PreparedBuild["pages"]>
  const publicAnswers = answers.filter((answer) => refusals[answer.path] === undefined)
  if (publicAnswers.length === 0) throw buildFault("prerender.none")
  const warnings: Problem[] = []
  const files = collectFiles(prepared, publicAnswers, settings.site, warnings)
  const { tree } = await addRegisteredRoutes(project, prepared.tree)
  const leftOut = listLeftOut({ ...prepared, tree })
  await fillDirectory(toOutputPlace(root, path), async (directory) => {
    for (const [name, bytes] of files) await directory.write(name, bytes)
    await writeMarker(directory, { target: "static" })
    io.signal.throwIfAborted()
  })
  if (leftOut.length > 0) warnings.push(toWarning(leftOut))
  printWarnings(warnings, io)
  return {
    target: "static",
    directory: formatOutputPath(root, path),
    pages: publicAnswers.length,
    files: files.size,
    size: [...files.values()].reduce((sum, bytes) => sum + Buffer.byteLength(bytes), 0),
    sitemap: files.has("sitemap.xml"),
    leftOut,
  }
}

/**
 * Returns every file of the directory. A page replaces a static file at the same path, as a route does on a server.
 */
function collectFiles(
  { directories, hashedPaths, pages }: PreparedBuild,
  answers: readonly PageAnswer[],
  site: string | undefined,
  warnings: Problem[],
): SiteFiles {
  const files: SiteFiles = new Map()
  for (const { prefix, files: staticFiles } of directories)
    if (prefix !== null)
      for (const { path, bytes } of staticFiles) {
        const name = `${prefix}/${path}`.replace(/^\/*/, "/")
        // The file stays at its own path too, because other sites may link to it.
        for (const one of [name, hashedPaths[name]]) if (one !== undefined) files.set(one.slice(1), bytes)
      }
  const redirects: string[] = []
  for (const answer of answers) {
    const { path, status, headers, bytes, source } = answer
    const type = headers["content-type"] ?? ""
    const location = redirectStatuses.includes(status) ? toTarget(headers.location ?? "", path) : null
    if (location !== null) redirects.push(`${path} ${location} ${status}\n`)
    const file = toFilePath(path, location === null ? type : "text/html")
    files.set(file, location === null ? bytes : renderRedirect(location))
    if (location === null && !isSameType(type, findMediaType(file)))
      warnings.push(createTypeWarning(source, path, type, findMediaType(file)))
  }
  const addMissing = (name: string, text: Uint8Array | string) => files.has(name) || files.set(name, text)
  if (redirects.length > 0) addMissing("_redirects", redirects.join(""))
  if (site !== undefined) addMissing("sitemap.xml", renderSitemap(site, answers))
  addMissing("404.html", pages?.notFound ?? notFoundPage)
  checkNames([...files.keys()])
  return new Map([...files].sort(([a], [b]) => compareByCodeUnit(a, b)))
}

/**
 * Returns the file for a path. A page gets `about/index.html`, because every host serves it at `/about`; other
 * types keep the path.
 */
function toFilePath(path: string, type: string): string {
  const segments = path.split("/").slice(1).map(toFileName)
  const isIndex = /^text\/html\b/.test(type) && !/\.html?$/.test(path)
  return [...segments, ...(isIndex || path === "/" ? ["index.html"] : [])].filter((name) => name !== "").join("/")
}

/** Decodes a segment for a file name, unless the decoded name is not valid for a file. */
function toFileName(segment: string): string {
  const name = decodeURIComponent(segment)
  return /[/\\\0]/.test(name) ? segment : name
}

/**
 * Checks that no path needs a file and a directory of the same name.
 *
 * @throws FwError `prerender` otherwise.
 */
function checkNames(names: readonly string[]): void {
  const existingNames = new Set(names)
  for (const name of names) {
    for (let at = name.indexOf("/"); at >= 0; at = name.indexOf("/", at + 1))
      if (existingNames.has(name.slice(0, at))) throw buildFault("prerender.conflict", [name.slice(0, at), name])
  }
}

/**
 * Returns true for the same media type, without its parameters. Hosts may send a feed as XML, and a manifest as
 * JSON.
 */
function isSameType(sent: string, guessed: string): boolean {
  const [one, other] = [sent, guessed].map((type) => type.replace(/;.*/s, "").trim().toLowerCase())
  return one === other || /[/+](?:xml|json)$/.exec(one ?? "")?.[0].slice(1) === other?.replace("application/", "")
}

function createTypeWarning(file: string, path: string, type: string, guessed: string): Problem {
  return {
    file,
    message: `${path} is sent as ${type || "no type"}, and a static host sends a file with this name as ${guessed}`,
    fix: "Give the path the ending of its type, such as .json or .xml.",
  }
}

/** Returns the target of a redirect as a path from the root of the site. A target on another site stays a URL. */
function toTarget(location: string, path: string): string {
  const url = new URL(location, `http://fw.invalid${path}`)
  return url.host === "fw.invalid" ? `${url.pathname}${url.search}${url.hash}` : url.href
}

/** Returns a page that leads to another one, for hosts without `_redirects`. */
function renderRedirect(target: string): string {
  const url = escapeHtml(target)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Moved</title><meta http-equiv="refresh" content="0; url=${url}"><link rel="canonical" href="${url}"></head><body><a href="${url}">${url}</a></body></html>
`
}

/**
 * The page for missing paths in a project that has none. Without such a file, some hosts answer with the start
 * page.
 */
const notFoundPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>404 not found</title></head><body><h1>404 not found</h1></body></html>
`

/** Returns the sitemap for search engines (sitemaps.org). */
function renderSitemap(site: string, answers: readonly PageAnswer[]): string {
  const pages = answers.filter(
    ({ status, headers }) => status === 200 && /^text\/html\b/.test(headers["content-type"] ?? ""),
  )
  const lines = pages.map(({ path }) => `<url><loc>${escapeHtml(site + path)}</loc></url>\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join("")}</urlset>\n`
}

/** Returns the routes that need a server, sorted by pattern. */
function listLeftOut({ tree, pages }: PreparedBuild): LeftOutRoute[] {
  const { answers = [], refusals = {} } = pages ?? {}
  const dynamicRoutes = [...tree.pages.map((page) => ({ ...page, method: "GET" })), ...tree.routes]
    .filter(({ prerender }) => !prerender)
    .map(({ method, pattern, file }) => ({ method, pattern, file }))
  const refusedRoutes = answers.flatMap(({ path, source }) => {
    const status = refusals[path]
    return status === undefined ? [] : [{ method: "GET", pattern: path, file: source, status }]
  })
  return [...dynamicRoutes, ...refusedRoutes].sort((a, b) => compareByCodeUnit(a.pattern, b.pattern))
}

function toWarning(routes: readonly LeftOutRoute[]): Problem {
  const lines = routes.map(({ method, pattern, file, status }) => {
    const reason = status === undefined ? "" : `, to which a middleware or the proxy answers ${status}`
    return `\n  ${method} ${pattern} (${file})${reason}`
  })
  return {
    message: `these routes need a server and are left out:${lines.join("")}`,
    fix: "Where an answer is the same for every client, write export const prerender = true. For the others, build for a server: fw build.",
  }
}

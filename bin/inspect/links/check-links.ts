/** Finds links that no route and no file answers. */
import type { ModuleText } from "../../../lib/scan/exports.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import { nearest } from "../../cli/suggest.ts"
import { ignoredFiles } from "../../tools/git.ts"
import { type Finding, warning } from "../checks/finding.ts"
import { type Answers, answersOf, type KnownRoute } from "./answers.ts"
import { unsentPost } from "./form-methods.ts"
import type { Link } from "./link.ts"
import { type LinkSource, linkSources, linksOf } from "./project-links.ts"
import type { Registered } from "./registered.ts"
import { literalStart, type Target, targetOf } from "./target.ts"

const otherServer = 'A path that another server answers has rel="external", or its host.'

/** Facts that a program keeps between checks of links. Each is read if it is not given. */
export interface KnownLinks {
  readonly texts?: readonly LinkSource[]
  readonly answers?: Answers
  readonly registered?: Registered
  /** Returns those of the missing files that git ignores. */
  readonly ignored?: (missing: readonly string[]) => Promise<ReadonlySet<string>>
}

/** Reads the links of a project and what answers them, and checks each. */
export async function checkLinks(
  root: string,
  { tree, mainModule, sources }: LinkedProject,
  known: KnownLinks = {},
): Promise<Finding[]> {
  const links = linksOf(root, known.texts ?? linkSources(root), tree)
  if (links.length === 0) return []
  const proxy = sources.find(({ file }) => file === tree.proxy?.file)?.module ?? null
  const answers = known.answers ?? (await answersOf(root, tree, mainModule, proxy, known.registered))
  // A menu is on every page: many links are the same.
  const checked = new Map<string, Problem | null>()
  const problems = links.flatMap(({ at, ...link }) => {
    const { method, formMethod, implied, target } = link
    const key = JSON.stringify([method, formMethod, implied, target.open, target.segments, target.text])
    const problem = checked.get(key) ?? (checked.has(key) ? null : problemOf(link, answers))
    checked.set(key, problem)
    return problem ? [{ at, ...problem }] : []
  })
  const methods = links.flatMap(({ at, ...link }) => {
    const problem = unsentPost(link, links, answers.routes)
    return problem ? [warning("form_method", at, problem.what, problem.fix)] : []
  })
  const made = await madeLater(problems, known.ignored ?? ((missing) => ignoredIn(root, missing)))
  const broken = problems
    .filter(({ missing }) => missing === undefined || !made.has(missing))
    .map(({ at, what, fix }) => warning("broken_link", at, what, fix))
  return [...broken, ...methods]
}

/** Returns the reason why nothing answers a request; null if something does, or may. */
export async function unansweredPath(
  root: string,
  { tree, mainModule, sources }: LinkedProject,
  { method, path }: { readonly method: string; readonly path: string },
): Promise<{ readonly what: string; readonly fix: string } | null> {
  const target = targetOf([path])
  if (!target) return null
  const proxy = sources.find(({ file }) => file === tree.proxy?.file)?.module ?? null
  const problem = problemOf({ method, target, start: 0 }, await answersOf(root, tree, mainModule, proxy))
  if (!problem) return null
  const [first = ""] = problem.fix.split(`. ${otherServer}`)
  return { what: problem.what, fix: first.endsWith(".") ? first : `${first}.` }
}

/** Returns the missing files that git ignores: another program makes them. */
async function madeLater(
  problems: readonly Problem[],
  ignored: NonNullable<KnownLinks["ignored"]>,
): Promise<ReadonlySet<string>> {
  const missing = problems.flatMap((problem) => problem.missing ?? [])
  return missing.length === 0 ? new Set() : ignored(missing)
}

/** Returns those of some files that git ignores. */
export function ignoredIn(root: string, files: readonly string[]): Promise<ReadonlySet<string>> {
  return ignoredFiles(root, files, { env: process.env, signal: new AbortController().signal })
}

/** The parts of a project's sources that a check of links needs. */
interface LinkedProject {
  readonly tree: RouteTree
  readonly mainModule: ModuleText | null
  readonly sources: readonly { readonly file: string; readonly module: ModuleText | null }[]
}

interface Problem {
  readonly what: string
  readonly fix: string
  /** The file that a link to a static file misses. */
  readonly missing?: string
}

function problemOf(link: Link, answers: Answers): Problem | null {
  const { target, method } = link
  const covering = answers.covering(target)
  const other = covering.find((route) => answersMethod(route, method))
  if (other) return hidden(link, other, covering, answers)
  if (isRead(method) && answers.isFile(target)) return null
  if (answers.isUncertain(target)) return null
  if (covering.length > 0) return wrongMethod(link, alike(covering, target))
  if (!isRead(method) && answers.isFile(target)) {
    return {
      what: `${target.text} is a file, which answers GET, not ${method}`,
      fix: "Write the path of a route.",
    }
  }
  return unknownPath(link, answers)
}

/**
 * Returns the problem of a link that names a route which does not answer its method, so that a route with a parameter in its
 * place does: GET /users/create, where only POST has a route and /users/{id} answers GET.
 */
function hidden(
  link: Link,
  other: KnownRoute,
  covering: readonly KnownRoute[],
  answers: Answers,
): Problem | null {
  if (!literalStart(link.target).whole) return null
  const exact = covering.filter(({ segments }) => segments.every(({ kind }) => kind === "static"))
  if (exact.length === 0 || exact.some((route) => answersMethod(route, link.method))) return null
  if (answers.isFile(link.target) || answers.isUncertain(link.target)) return null
  const { what, fix } = wrongMethod(link, exact)
  return { what: `${what}, which goes to ${other.pattern}`, fix }
}

/** Returns the routes with as many segments as a link, if there are any: it may lead to others only at some values. */
export function alike(covering: readonly KnownRoute[], { segments }: Target): readonly KnownRoute[] {
  const some = covering.filter((route) => route.segments.length === segments.length)
  return some.length > 0 ? some : covering
}

function isRead(method: string | null): boolean {
  return method === null || method === "GET"
}

/** Returns the fix for a link that has the name of a file, such as an image; undefined for another link. */
function assetFix(target: Target, { served }: Answers): string | undefined {
  const { path, whole } = literalStart(target)
  const [name] = /[^/]+\.[a-z][a-z\d]{1,5}$/i.exec(path) ?? []
  const [directory] = served
  if (!whole || name === undefined || !directory) return undefined
  const found = served.flatMap(({ paths }) => [...paths]).find((file) => file.endsWith(`/${name}`))
  if (found) return `Write ${found}.`
  return `Put the file into ${directory.dir}/, and write ${directory.prefix === "/" ? "" : directory.prefix}/${name}.`
}

function answersMethod(route: KnownRoute, method: string | null): boolean {
  if (method === null || route.method === "*" || route.method === method) return true
  return route.method === "SOCKET" && method === "GET"
}

function wrongMethod(
  { target, method, formMethod, implied }: Link,
  covering: readonly KnownRoute[],
): Problem {
  const [first] = covering as readonly [KnownRoute]
  const methods = [...new Set(covering.map((route) => route.method))].sort()
  const what = `${target.text} answers ${methods.join(", ")}, not ${method}`
  if (formMethod !== undefined && methods.includes(formMethod)) {
    const htmx = `hx-${formMethod.toLowerCase()}="${target.text}"`
    return { what, fix: `A form sends only GET and POST. Write ${htmx}, or answer POST.` }
  }
  if (implied && methods.includes("POST")) return { what, fix: 'Write <form method="post">.' }
  const name = `${method?.[0]}${method?.slice(1).toLowerCase()}`
  const file = covering.find((route) => !route.file.endsWith(".tpl"))?.file ?? beside(first.file)
  return { what, fix: `Change the method, or export ${name} from ${file}.` }
}

/** Returns the route file next to a page. */
function beside(page: string): string {
  return page.replace(/[^/]*$/, "route.ts")
}

function unknownPath({ target, method }: Link, answers: Answers): Problem {
  const { path } = literalStart(target)
  const served = answers.directoryOf(target)
  if (served && served.prefix !== "/") {
    const file = `${served.dir}${path.slice(served.prefix.length)}`
    const near = nearest(path, [...served.paths])
    return {
      what: `there is no file ${file}${near ? `. The nearest is ${near}` : ""}`,
      fix: near ? `Write ${near}, or add the file.` : "Correct the path, or add the file.",
      missing: file,
    }
  }
  const asset = assetFix(target, answers)
  if (asset && isRead(method))
    return {
      what: `no route answers ${method === null ? "" : "GET "}${target.text}, and no file has this path`,
      fix: asset,
    }
  const near = nearestRoute(target, method, answers.routes)
  return {
    what: `no route answers ${method === null ? "" : `${method} `}${target.text}${near ? `. The nearest is ${near}` : ""}`,
    fix: `${near ? `Write ${near}` : "Correct the path"}, or add the route. ${otherServer}`,
  }
}

/** Returns the pattern nearest to a link, first among those that answer its method. */
function nearestRoute(
  target: Target,
  method: string | null,
  routes: readonly KnownRoute[],
): string | undefined {
  const own = target.segments.map((pieces) => pieces.map((piece) => piece ?? "{…}").join(""))
  const near = (some: readonly KnownRoute[]) => {
    // Of patterns that are as near, such as /users/{id} and /users/new for /user/new, the one with more names is meant.
    const alike = some.filter((route) => isNear(route, own)).sort((a, b) => names(b) - names(a))
    const found = nearest(
      target.text,
      alike.map((route) => likeLink(route, own)),
    )
    return alike.find((route) => likeLink(route, own) === found)?.pattern
  }
  return near(routes.filter((route) => answersMethod(route, method))) ?? near(routes)
}

/** Returns the number of segments that are names. */
function names({ segments }: KnownRoute): number {
  return segments.filter(({ kind }) => kind === "static").length
}

/** Returns true if each name of a pattern is near to that of the link, so that a parameter does not hide another path. */
function isNear({ segments }: KnownRoute, own: readonly string[]): boolean {
  return segments.every((segment, at) => {
    const text = own[at]
    if (segment.kind !== "static" || text === undefined) return true
    // A short name has few letters that may be wrong.
    return text[0] === segment.value[0] || nearest(text, [segment.value]) !== undefined
  })
}

/** Returns a pattern with the link's own segments in the place of parameters, so that only its names differ. */
function likeLink({ segments }: KnownRoute, own: readonly string[]): string {
  const texts = segments.flatMap((segment, at) => {
    if (segment.kind === "static") return [segment.value]
    if (segment.kind === "param") return [own[at] ?? "{}"]
    return at < own.length ? own.slice(at) : ["*"]
  })
  return `/${texts.join("/")}`
}

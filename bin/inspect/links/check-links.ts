/** Finds links that lead to no route and no file. */
import { findNearest } from "../../cli/find-nearest.ts"
import { listIgnoredFiles } from "../../tools/git.ts"
import { createWarning, type Finding } from "../checks/finding.ts"
import { type AnsweringProject, type Answers, type KnownRoute, readAnswers } from "./answers.ts"
import type { Link } from "./link.ts"
import { findLiteralStart, type LinkTarget, toLinkTarget } from "./link-target.ts"
import { type LinkSource, readProjectLinks } from "./project-links.ts"
import type { Registered } from "./registered.ts"

const otherServerFix = 'A path that another server answers has rel="external", or its host.'

/** Facts that a caller may have from an earlier check. Missing facts are read. */
export interface KnownLinks {
  readonly answers?: Answers
  readonly registered?: Registered
  /** Returns those missing files that git ignores. */
  readonly findIgnored?: (missing: readonly string[]) => Promise<ReadonlySet<string>>
}

/** Checks the links of a project. */
export async function checkLinks(root: string, project: LinkedProject, known: KnownLinks = {}): Promise<Finding[]> {
  const { tree, texts } = project
  const links = readProjectLinks(root, texts, tree)
  if (links.length === 0) return []
  const answers = known.answers ?? (await readAnswers(root, project, known.registered))
  // Links are often repeated, such as those of a menu, so their results are cached.
  const problemsByLink = new Map<string, LinkProblem | null>()
  const problems = links.flatMap(({ at, ...link }) => {
    const { method, formMethod, impliedGET, target } = link
    const key = JSON.stringify([method, formMethod, impliedGET, target.isOpenEnded, target.segments, target.text])
    const problem = problemsByLink.get(key) ?? (problemsByLink.has(key) ? null : findProblem(link, answers))
    problemsByLink.set(key, problem)
    return problem ? [{ at, ...problem }] : []
  })
  const methods = links.flatMap(({ at, ...link }) => {
    const problem = findUnsentPost(link, links, answers.routes)
    return problem ? [createWarning("form_method", at, problem.message, problem.fix)] : []
  })
  const ignoredMissing = await findIgnoredMissing(
    problems,
    known.findIgnored ?? ((missing) => findIgnoredFiles(root, missing)),
  )
  const broken = problems
    .filter(({ missing }) => missing === undefined || !ignoredMissing.has(missing))
    .map(({ at, message, fix }) => createWarning("broken_link", at, message, fix))
  return [...broken, ...methods]
}

/** Returns the reason why no route answers a request; null if one does or may do so. */
export async function findUnansweredReason(
  root: string,
  project: LinkedProject,
  { method, path }: { readonly method: string; readonly path: string },
): Promise<{ readonly message: string; readonly fix: string } | null> {
  const target = toLinkTarget([path])
  if (!target) return null
  const problem = findProblem({ method, target, start: 0 }, await readAnswers(root, project))
  if (!problem) return null
  const [first = ""] = problem.fix.split(`. ${otherServerFix}`)
  return { message: problem.message, fix: first.endsWith(".") ? first : `${first}.` }
}

/** Returns those missing files that git ignores, because another program creates them. */
async function findIgnoredMissing(
  problems: readonly LinkProblem[],
  ignored: NonNullable<KnownLinks["findIgnored"]>,
): Promise<ReadonlySet<string>> {
  const missing = problems.flatMap((problem) => problem.missing ?? [])
  return missing.length === 0 ? new Set() : ignored(missing)
}

/** Returns the files in a list that git ignores. */
export function findIgnoredFiles(root: string, files: readonly string[]): Promise<ReadonlySet<string>> {
  return listIgnoredFiles(root, files, { env: process.env, signal: new AbortController().signal })
}

/** The parts of a project's sources that are needed to check links. */
interface LinkedProject extends AnsweringProject {
  readonly texts: readonly LinkSource[]
}

interface LinkProblem {
  readonly message: string
  readonly fix: string
  /** The path of the missing static file. */
  readonly missing?: string
}

function findProblem(link: Link, answers: Answers): LinkProblem | null {
  const { target, method } = link
  const matchingRoutes = answers.findRoutes(target)
  const other = matchingRoutes.find((route) => answersMethod(route, method))
  if (other) return findHiddenProblem(link, other, matchingRoutes, answers)
  if (isReadMethod(method) && answers.isFile(target)) return null
  if (answers.isUncertain(target)) return null
  if (matchingRoutes.length > 0) return toMethodProblem(link, preferSameLength(matchingRoutes, target))
  if (!isReadMethod(method) && answers.isFile(target)) {
    return {
      message: `${target.text} is a file, which answers GET, not ${method}`,
      fix: "Write the path of a route.",
    }
  }
  return toPathProblem(link, answers)
}

/**
 * Returns the problem of a link whose exact route has another method, while a route with a parameter would match.
 * For example GET /users/create, if this route has only POST and /users/{id} answers GET.
 */
function findHiddenProblem(
  link: Link,
  other: KnownRoute,
  matchingRoutes: readonly KnownRoute[],
  answers: Answers,
): LinkProblem | null {
  if (!findLiteralStart(link.target).isWhole) return null
  const exact = matchingRoutes.filter(({ segments }) => segments.every(({ kind }) => kind === "static"))
  if (exact.length === 0 || exact.some((route) => answersMethod(route, link.method))) return null
  if (answers.isFile(link.target) || answers.isUncertain(link.target)) return null
  const { message, fix } = toMethodProblem(link, exact)
  return { message: `${message}, which goes to ${other.pattern}`, fix }
}

/**
 * Returns only the routes with as many segments as the link, if there are such routes. Only with unusual values
 * would the link lead to another route.
 */
export function preferSameLength(
  matchingRoutes: readonly KnownRoute[],
  { segments }: LinkTarget,
): readonly KnownRoute[] {
  const some = matchingRoutes.filter((route) => route.segments.length === segments.length)
  return some.length > 0 ? some : matchingRoutes
}

function isReadMethod(method: string | null): boolean {
  return method === null || method === "GET"
}

/** Returns the fix for a link that looks like a file, such as an image; undefined for other links. */
function findAssetFix(target: LinkTarget, { served }: Answers): string | undefined {
  const { path, isWhole } = findLiteralStart(target)
  const [name] = /[^/]+\.[a-z][a-z\d]{1,5}$/i.exec(path) ?? []
  const [directory] = served
  if (!isWhole || name === undefined || !directory) return undefined
  const found = served.flatMap(({ paths }) => [...paths]).find((file) => file.endsWith(`/${name}`))
  if (found) return `Write ${found}.`
  return `Put the file into ${directory.dir}/, and write ${directory.prefix === "/" ? "" : directory.prefix}/${name}.`
}

function answersMethod(route: KnownRoute, method: string | null): boolean {
  if (method === null || route.method === "*" || route.method === method) return true
  return route.method === "SOCKET" && method === "GET"
}

function toMethodProblem(
  { target, method, formMethod, impliedGET }: Link,
  matchingRoutes: readonly KnownRoute[],
): LinkProblem {
  const [first] = matchingRoutes as readonly [KnownRoute]
  const methods = [...new Set(matchingRoutes.map((route) => route.method))].sort()
  const message = `${target.text} answers ${methods.join(", ")}, not ${method}`
  if (formMethod !== undefined && methods.includes(formMethod)) {
    const htmx = `hx-${formMethod.toLowerCase()}="${target.text}"`
    return { message, fix: `A form sends only GET and POST. Write ${htmx}, or answer POST.` }
  }
  if (impliedGET && methods.includes("POST")) return { message, fix: 'Write <form method="post">.' }
  const name = `${method?.[0]}${method?.slice(1).toLowerCase()}`
  const file = matchingRoutes.find((route) => !route.file.endsWith(".tpl"))?.file ?? toRouteFile(first.file)
  return { message, fix: `Change the method, or export ${name} from ${file}.` }
}

/** Returns the path of the route file next to a page. */
function toRouteFile(page: string): string {
  return page.replace(/[^/]*$/, "route.ts")
}

function toPathProblem({ target, method }: Link, answers: Answers): LinkProblem {
  const { path } = findLiteralStart(target)
  const served = answers.findDirectory(target)
  if (served && served.prefix !== "/") {
    const file = `${served.dir}${path.slice(served.prefix.length)}`
    const near = findNearest(path, [...served.paths])
    return {
      message: `there is no file ${file}${near ? `. The nearest is ${near}` : ""}`,
      fix: near ? `Write ${near}, or add the file.` : "Correct the path, or add the file.",
      missing: file,
    }
  }
  const asset = findAssetFix(target, answers)
  if (asset && isReadMethod(method))
    return {
      message: `no route answers ${method === null ? "" : "GET "}${target.text}, and no file has this path`,
      fix: asset,
    }
  const near = findNearestRoute(target, method, answers.routes)
  return {
    message: `no route answers ${method === null ? "" : `${method} `}${target.text}${near ? `. The nearest is ${near}` : ""}`,
    fix: `${near ? `Write ${near}` : "Correct the path"}, or add the route. ${otherServerFix}`,
  }
}

/** Returns the pattern that is most similar to a link. Patterns that answer the method come first. */
function findNearestRoute(
  target: LinkTarget,
  method: string | null,
  routes: readonly KnownRoute[],
): string | undefined {
  const linkSegments = target.segments.map((pieces) => pieces.map((piece) => piece ?? "{…}").join(""))
  const findNear = (some: readonly KnownRoute[]) => {
    // If several patterns are equally similar, such as /users/{id} and /users/new for /user/new, the one with more
    // static segments is probably meant.
    const nearRoutes = some.filter((route) => isNear(route, linkSegments)).sort((a, b) => countNames(b) - countNames(a))
    const found = findNearest(
      target.text,
      nearRoutes.map((route) => fillParameters(route, linkSegments)),
    )
    return nearRoutes.find((route) => fillParameters(route, linkSegments) === found)?.pattern
  }
  return findNear(routes.filter((route) => answersMethod(route, method))) ?? findNear(routes)
}

/** Returns the number of static segments. */
function countNames({ segments }: KnownRoute): number {
  return segments.filter(({ kind }) => kind === "static").length
}

/**
 * Returns true if every static segment is similar to that of the link. Otherwise a pattern with only parameters
 * would be similar to any path.
 */
function isNear({ segments }: KnownRoute, linkSegments: readonly string[]): boolean {
  return segments.every((segment, at) => {
    const text = linkSegments[at]
    if (segment.kind !== "static" || text === undefined) return true
    // Segments with the same first letter are similar enough here, because the caller compares the whole paths.
    return text[0] === segment.value[0] || findNearest(text, [segment.value]) !== undefined
  })
}

/** Returns a pattern in which the link's segments replace the parameters, so that only static segments differ. */
function fillParameters({ segments }: KnownRoute, linkSegments: readonly string[]): string {
  const texts = segments.flatMap((segment, at) => {
    if (segment.kind === "static") return [segment.value]
    if (segment.kind === "param") return [linkSegments[at] ?? "{}"]
    return at < linkSegments.length ? linkSegments.slice(at) : ["*"]
  })
  return `/${texts.join("/")}`
}

/** Returns the problem of a form without a method, if its path has a route for POST that no other form uses. */
function findUnsentPost(
  { impliedGET, target }: Link,
  links: readonly Link[],
  routes: readonly KnownRoute[],
): { readonly message: string; readonly fix: string } | null {
  if (!impliedGET) return null
  const post = routes.find((route) => route.method === "POST" && leadsExactlyTo(target, route))
  // If nothing answers GET, that is already reported.
  const answersGet = routes.some((route) => route.method === "GET" && leadsExactlyTo(target, route))
  if (!post || !answersGet) return null
  const isSent = links.some(
    ({ method, target }) => (method === "POST" || method === null) && leadsExactlyTo(target, post),
  )
  if (isSent) return null
  return {
    message: `this form sends GET, so its fields go into the query, and Post of ${post.file} is not called`,
    fix: 'Write <form method="post">. If the form is a search, write method="get".',
  }
}

/**
 * Returns true if a link leads exactly to a pattern: its literal segments are static in the pattern, its
 * expressions are parameters.
 */
function leadsExactlyTo({ segments }: LinkTarget, route: KnownRoute): boolean {
  if (segments.length !== route.segments.length) return false
  return route.segments.every((segment, at) => {
    const pieces = segments[at] ?? []
    if (segment.kind === "static") return pieces.length === 1 && pieces[0] === segment.value
    return segment.kind === "param" && pieces.includes(null)
  })
}

/**
 * The child process that prerenders pages: it runs the project's program, writes the answers into a file, and
 * exits.
 */
import { pathToFileURL } from "node:url"
import { serialize } from "node:v8"
import type { App } from "../../../lib/app.ts"
import type { Context } from "../../../lib/context.ts"
import { setDevHooks } from "../../../lib/dev/hooks.ts"
import { compareByCodeUnit } from "../../../lib/order.ts"
import type { Routes } from "../../../lib/tree.ts"
import { toErrorData } from "../../project/error-data.ts"
import { limitContext } from "../../project/limited-context.ts"
import { findOwnFrame } from "../../project/problems.ts"
import { mapSeveral } from "../../system/map-several.ts"
import { replaceFile } from "../../system/whole-file.ts"
import type { PageAnswer, PageFailure, PageOrder, PageResults } from "./page-answer.ts"
import { listPaths, type PagePath } from "./page-paths.ts"

/** The exports of the bundle. `App` comes from it too, because the project has its own copy of fw. */
interface PagesModule {
  readonly App: typeof App
  readonly app: App
  readonly routes: Routes
}

/** The largest number of answers that are made at the same time. */
const maxConcurrentAnswers = 8
/** The longest time for one answer, in seconds. */
const maxAnswerSeconds = 60
/** Headers that are different each time an answer is sent, so they are not stored. */
const transportHeaders = ["vary", "content-length", "date", "transfer-encoding", "connection"]

const [orderText = "", resultFile = ""] = process.argv.slice(2)
const order = JSON.parse(orderText) as PageOrder
/** Scheme and host of the requests. */
const origin = order.site ?? "http://localhost"
/** Failures that belong to no page, such as an unhandled rejection. */
const otherFailures: PageFailure[] = []

/** Returns the project's line that threw the error; if the stack has none, the file that was running. */
function locate({ stack }: { readonly stack: string }, source: string): PageFailure["at"] {
  const { file = source, line, column } = findOwnFrame(order.root, stack) ?? {}
  return { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) }
}

/** Converts a thrown value to the failure of a path. */
function toFailure(error: unknown, path: string, source: string): PageFailure {
  const data = toErrorData(error)
  const { status } = Object(error) as { status?: unknown }
  const message = typeof status === "number" ? `${status} ${data.message.replace(/^HttpError: /, "")}` : data.message
  return { name: "prerender.failed", facts: [path, message, data.fix], at: locate(data, source) }
}

/** A path whose page is being made. */
interface RunningPage extends PagePath {
  readonly failures: PageFailure[]
}

const runningPages = new Map<string, RunningPage>()

/** Returns an app with only the prerendered routes, and without middleware. */
async function createMaker({ App, routes }: PagesModule): Promise<App> {
  const { tree, modules, assets } = routes
  const isPrerendered = ({ prerender }: { prerender?: true }) => prerender === true
  const maker = new App({ logger: false })
  maker.use((next) => async (c) => {
    const { path, source, failures } = runningPages.get(c.path) as RunningPage
    limitContext(c as Context, order.site !== undefined, (name, what, { stack = "" }) => {
      failures.push({ name, facts: [path, what], at: locate({ stack }, source) })
    })
    const answer = await next(c)
    // `limitContext` has already reported what it refused, even if the program caught that error.
    if (c.error !== undefined && failures.length === 0) failures.push(toFailure(c.error, path, source))
    c.reported = true
    return answer
  })
  await maker.mount({
    tree: {
      appDir: tree.appDir,
      layouts: tree.layouts,
      middleware: [],
      routes: tree.routes.filter(isPrerendered).map((route) => ({ ...route, middleware: [] })),
      pages: tree.pages.filter(isPrerendered).map((page) => ({ ...page, middleware: [] })),
    },
    modules,
    ...(assets && { assets }),
  })
  return maker
}

/** Makes the answer for a path. Returns failures if it cannot be stored. */
async function makeAnswer(maker: App, { path, source }: PagePath): Promise<PageAnswer | readonly PageFailure[]> {
  const failures: PageFailure[] = []
  runningPages.set(path, { path, source, failures })
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`it took more than ${maxAnswerSeconds} s`)), maxAnswerSeconds * 1000)
  })
  const requestPage = async () => {
    const response = await maker.request(new URL(path, origin))
    return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
  }
  try {
    const { response, bytes } = await Promise.race([requestPage(), timeout])
    const { status } = response
    if (status >= 400) throw new Error(`it answers ${status}`)
    if (failures.length > 0) return failures
    const headers = [...response.headers].filter(([name]) => !transportHeaders.includes(name))
    headers.sort(([a], [b]) => compareByCodeUnit(a, b))
    return { path, source, status, headers: Object.fromEntries(headers), bytes }
  } catch (error) {
    return failures.length > 0 ? failures : [toFailure(error, path, source)]
  }
}

/**
 * Requests each path with middleware, as a visitor would, and returns the statuses that differ from the stored
 * answers, by path.
 */
async function askAsVisitor(app: App, answers: readonly PageAnswer[]): Promise<Record<string, number>> {
  const refusals: Record<string, number> = {}
  await mapSeveral(answers, maxConcurrentAnswers, async ({ path, status }) => {
    const answer = await app.request(new URL(path, origin), {
      headers: { accept: "text/html" },
    })
    await answer.body?.cancel()
    if (answer.status !== status) refusals[path] = answer.status
  })
  return refusals
}

/** Returns the application's page for a path that does not exist; null if its answer is not a page. */
async function makeNotFound(app: App): Promise<Uint8Array | null> {
  const answer = await app.request(new URL("/404.html", origin), {
    headers: { accept: "text/html" },
  })
  const isPage = answer.status === 404 && /^text\/html\b/.test(answer.headers.get("content-type") ?? "")
  return isPage ? new Uint8Array(await answer.arrayBuffer()) : null
}

async function makeAll(): Promise<PageResults> {
  // If a block of a page fails, the answer is complete all the same, so this hook is the only way to notice.
  setDevHooks({ onBug: (bug) => otherFailures.push(toFailure(bug, "", "")) })
  const module = (await import(pathToFileURL(order.bundle).href)) as PagesModule
  const { app, routes } = module
  const { paths, failures } = await listPaths(routes, toFailure)
  const maker = await createMaker(module)
  const results = await mapSeveral(paths, maxConcurrentAnswers, (page) => makeAnswer(maker, page))
  failures.push(...results.flatMap((one) => ("path" in one ? [] : one)), ...otherFailures)
  const answers = results.filter((one) => "path" in one)
  if (failures.length > 0 || !order.asksAsVisitor) return { answers, failures, refusals: {}, notFound: null }
  app.disableLogger()
  setDevHooks({ onBug: () => {} })
  return { answers, failures, refusals: await askAsVisitor(app, answers), notFound: await makeNotFound(app) }
}

/** Returns the results for a program that does not start. */
function failStart(error: unknown): PageResults {
  const data = toErrorData(error)
  const failure: PageFailure = { name: "prerender.start", facts: [data.message, data.fix], at: locate(data, "") }
  return { answers: [], failures: [failure], refusals: {}, notFound: null }
}

const results = await makeAll().catch(failStart)
await replaceFile({ root: null, path: resultFile }, serialize(results))
// Modules may have left timers or connections open, which would keep the process alive.
process.exit(0)

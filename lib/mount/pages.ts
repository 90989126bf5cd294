/** Answers with pages: a page in its nearest layout, fragments for htmx, and error pages for browsers. */

import { isResponse } from "../chain.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { describeMissingRoute } from "../errors/error-response.ts"
import { fault, misuse } from "../errors/fault.ts"
import type { HttpError } from "../errors.ts"
import { escapeHtml } from "../html/escape.ts"
import { getDeferredBlocks, Html, raw } from "../html/text.ts"
import { isDelay } from "../lifecycle/seconds.ts"
import type { Pattern } from "../pattern.ts"
import { prefersHTML } from "../request/accept.ts"
import { checkFields, describeType } from "../text.ts"
import { channels } from "../trace/operations.ts"
import type { Routes, TreePage, TreeRoute } from "../tree.ts"
import type { HandlerFunc } from "../types.ts"
import { addScripts, answerDeferred } from "./answer-deferred.ts"
import { deferScript, deferScriptPath } from "./defer-script.ts"
import { getExport } from "./get-export.ts"

/** The result of a page: markup, or a whole Response. */
type PageResult = Html | Response | Promise<Html | Response>
type PageFunc = (c: Context) => PageResult
type LayoutFunc = (title: string, c: Context, children: Html) => Html | Promise<Html>
type NotFoundFunc = (c: Context, message: string) => PageResult
type FailureFunc = (c: Context, status: number, message: string) => PageResult
type PageTitle = string | ((c: Context) => string | Promise<string>)

/**
 * Says whether a request gets a page without its layout. `false` means that every request gets the whole page.
 */
type FragmentRule = boolean | ((c: Context) => boolean)

/**
 * Options of `c.page()`.
 *
 * @example
 * import { html } from "fw/html"
 * const whole: PageOptions = { fragment: false }
 * app.get("/", (c) => c.page(200, "Home", html`<p>Hello</p>`, whole))
 */
export interface PageOptions {
  /**
   * True to answer with the markup alone, false to answer with the layout around it. Default: the markup alone if htmx
   * swaps a part of a page.
   */
  readonly fragment?: boolean
  /** Seconds after which a `{defer}` block of the page has failed. Default: 30. */
  readonly deferTimeout?: number
}

/** A page, and what is needed to render it. */
interface PageView {
  readonly file: string
  readonly title: PageTitle
  readonly layout: Layout | undefined
  /** Undefined for the default, {@link asksForFragment}. */
  readonly fragment: FragmentRule | undefined
  /** Seconds after which a deferred block has failed. */
  readonly deferTimeout: number | undefined
}

/** A layout, and the id of its `body`. With htmx 1 and 2, the id tells that a request replaces the whole body. */
interface Layout {
  readonly render: LayoutFunc
  readonly bodyID: string
}

/** The advice if a page returns something that is not markup. */
const markupHint = "use a template or html`…`, or raw(String(<Page />)) for JSX, from fw/html"

/** The layouts that `c.page()` uses, by the pattern of the matched route. */
const layoutsByPattern = new WeakMap<Pattern, Pick<PageView, "layout" | "fragment">>()

/**
 * Returns the default rule of a page. If its answer is made at build time, it is the whole page, because all clients
 * get the same answer.
 */
const toFragmentRule = ({ prerender }: TreePage | TreeRoute) => (prerender ? false : undefined)

/** What an app needs for the pages and layouts of a tree. */
export interface Pages {
  /** Registers the nearest layout of a route, which `c.page()` then uses for its pattern. */
  setLayout(pattern: Pattern, route: TreePage | TreeRoute): void
  /**
   * Returns the handler of a page. @throws FwError `mount` if the file of the page or of its layout does not export the
   * function.
   */
  createHandler(page: TreePage): HandlerFunc
  /** Returns the function that answers with error pages, in the outermost layout; undefined if the project has none. */
  createErrorPages(): ErrorPages | undefined
  /** Returns HTML with the scripts of its custom elements. */
  addScripts(c: Context, html: string): string
  /** The route of the script that moves deferred blocks to their places. */
  readonly script: { readonly path: string; readonly handler: HandlerFunc }
}

/** Creates the pages of a tree. @param routes the tree and its modules. */
export function createPages(routes: Routes): Pages {
  const findLayout = createLayoutFinder(routes)
  return {
    setLayout(pattern, route) {
      const layout = findLayout(route.layout)
      if (layout) layoutsByPattern.set(pattern, { layout, fragment: toFragmentRule(route) })
    },
    createHandler: (page) => createPageHandler(routes, page, findLayout(page.layout)),
    createErrorPages: () => createErrorPages(routes),
    addScripts,
    script: { path: deferScriptPath, handler: answerScript },
  }
}

/**
 * Returns a function that finds a layout by its index. Many pages share a layout, so each one is created once. @param
 * routes the tree and its modules.
 */
function createLayoutFinder(routes: Routes): (index: number | undefined) => Layout | undefined {
  const layoutCache: Layout[] = []
  return (index) => {
    const treeLayout = index === undefined ? undefined : routes.tree.layouts[index]
    if (!treeLayout) return undefined
    layoutCache[index as number] ??= createLayout(routes, treeLayout.file)
    return layoutCache[index as number]
  }
}

function createLayout(routes: Routes, file: string): Layout {
  // A layout inside another one has no `body` of its own, so the id is that of the outermost layout.
  const bodyID =
    getBodyID(routes, file) || getBodyID(routes, routes.tree.layouts[findOutermostLayout(routes) ?? -1]?.file)
  return { render: getExport<LayoutFunc>(routes, file, "Layout"), bodyID }
}

/** Returns the id of `body` that the compiler found in a template; `""` if there is none. */
function getBodyID(routes: Routes, file = ""): string {
  return String(routes.modules[file]?.$fwBodyID ?? "")
}

/** Returns a page with the settings that its module exports. @throws FwError `mount` for an export of a wrong type. */
function createView(routes: Routes, file: string, fallback: string, layout: Layout | undefined): PageView {
  const { title = fallback, fragment, deferTimeout } = routes.modules[file] ?? {}
  const at = { file }
  if (typeof title !== "string" && typeof title !== "function") throw fault("mount.title", [file, typeof title], { at })
  if (fragment !== undefined && fragment !== false && typeof fragment !== "function")
    throw fault("mount.fragment", [file, fragment], { at })
  if (deferTimeout !== undefined && !(isDelay(deferTimeout) && deferTimeout > 0))
    throw fault("mount.deferTimeout", [file, deferTimeout], { at })
  return {
    file,
    title: title as PageTitle,
    layout,
    fragment: fragment as FragmentRule | undefined,
    deferTimeout,
  }
}

function checkHtml(markup: unknown): void {
  if (!(markup instanceof Html)) throw new TypeError(`c.page() takes Html, not ${describeType(markup)}: ${markupHint}`)
}

/** Answers `c.page()`. */
export async function answerPage(
  c: Context,
  status: number,
  title: string,
  content: Html | Promise<Html>,
  options: PageOptions = {},
): Promise<Response> {
  // The arguments are checked before the first await. Until then the stack has the program's call, which `fw dev`
  // shows.
  if (typeof status !== "number") throw misuse("status", status)
  if (typeof title !== "string")
    throw new TypeError(
      `c.page() takes a text as its title, not ${describeType(title)}: write c.page(status, title, html)`,
    )
  if (typeof (content as Partial<Promise<Html>> | undefined)?.then !== "function") checkHtml(content)
  checkFields(options, ["fragment", "deferTimeout"], "c.page() takes as its options")
  const { fragment, deferTimeout } = options
  if (fragment !== undefined && typeof fragment !== "boolean")
    throw new TypeError(`c.page() takes true or false as fragment, not ${describeType(fragment)}`)
  if (deferTimeout !== undefined && !(isDelay(deferTimeout) && deferTimeout > 0))
    throw new TypeError(`c.page() takes a number of seconds above 0 as deferTimeout, not ${describeType(deferTimeout)}`)
  const markup: unknown = await content
  checkHtml(markup)
  const pattern = access.getPattern(c)
  const knownLayout = pattern && layoutsByPattern.get(pattern)
  const view = {
    file: "c.page()",
    title,
    layout: knownLayout?.layout,
    fragment: fragment ?? knownLayout?.fragment,
    deferTimeout,
  }
  return answerMarkup(c, status, markup, view)
}

/**
 * Returns the handler of a page.
 *
 * @throws FwError `mount` if the file of the page or of its layout does not export the function.
 */
function createPageHandler(routes: Routes, treePage: TreePage, layout: Layout | undefined): HandlerFunc {
  const { file, title } = treePage
  const page = getExport<PageFunc>(routes, file, "Page")
  const { fragment = toFragmentRule(treePage), ...rest } = createView(routes, file, title, layout)
  const view = { ...rest, fragment }
  return async (c) => answerMarkup(c, 200, await page(c), view)
}

/** Answers with markup in its layout, or alone if htmx swaps a part of a page. */
async function answerMarkup(c: Context, status: number, content: unknown, view: PageView): Promise<Response> {
  return channels.render.isWatched ? traceRender(c, status, content, view) : renderMarkup(c, status, content, view)
}

function traceRender(...page: Parameters<typeof renderMarkup>): Promise<Response> {
  const [c, , , { file }] = page
  return channels.render.run(file, () => renderMarkup(...page), c)
}

async function renderMarkup(
  c: Context,
  status: number,
  content: unknown,
  { file, title, layout, fragment, deferTimeout }: PageView,
): Promise<Response> {
  if (isResponse(content)) return content
  if (!(content instanceof Html)) {
    throw new TypeError(`${file} returned ${typeof content}, not Html: ${markupHint}`)
  }
  const send = (page: Html, isFragment: boolean) =>
    getDeferredBlocks(page)
      ? answerDeferred(c, status, page, { isFragment, timeoutSeconds: deferTimeout })
      : c.html(status, page)
  if (!layout) return send(content, false)
  if (typeof fragment !== "boolean") c.appendHeader("Vary", fragmentHeaders)
  const isFragment = typeof fragment === "function" ? fragment(c) : (fragment ?? asksForFragment(c, layout.bodyID))
  if (isFragment) return send(content, true)
  const text = typeof title === "function" ? await title(c) : title
  if (typeof text === "string") return send(await layout.render(text, c, content), false)
  throw new TypeError(`the title of ${file} returned ${typeof text}, not a string`)
}

/**
 * Answers an error with a page; null if the answer should be JSON.
 *
 * @param replaceError takes an error of the page or its layout, and returns the error to show in its place.
 */
export type ErrorPages = (
  c: Context,
  error: HttpError,
  replaceError: (nextError: unknown) => HttpError,
) => Promise<Response | null>

/**
 * Returns the function that answers with the pages `not-found` and `error`, in the outermost layout; undefined if the
 * project has neither.
 */
function createErrorPages(routes: Routes): ErrorPages | undefined {
  const { tree } = routes
  if (!tree.notFound && !tree.error) return undefined
  const layout = createLayoutFinder(routes)(findOutermostLayout(routes))
  const notFound = tree.notFound && {
    view: createView(routes, tree.notFound.file, "Not found", layout),
    render: getExport<NotFoundFunc>(routes, tree.notFound.file, "NotFound"),
  }
  const failure = tree.error && {
    view: createView(routes, tree.error.file, "Error", layout),
    render: getExport<FailureFunc>(routes, tree.error.file, "Failure"),
  }
  const showFailure = async (c: Context, { status, message }: HttpError, frame?: Layout) =>
    failure
      ? answerMarkup(c, status, await failure.render(c, status, message), { ...failure.view, layout: frame })
      : null
  return async (c, error, replaceError) => {
    c.appendHeader("Vary", "Accept")
    // When htmx restores a page of the history, it shows the answer in the page, whatever its Accept header says.
    if (c.header("hx-history-restore-request") === "" && !prefersHTML(c.header("accept"))) return null
    try {
      if (error.status !== 404 || !notFound) return await showFailure(c, error, layout)
      const message = error.message === describeMissingRoute(c) ? "" : error.message
      return await answerMarkup(c, 404, await notFound.render(c, message), notFound.view)
    } catch (nextError) {
      const visibleError = replaceError(nextError)
      // The layout may be the cause, so the page is tried once more without it.
      const plainPage = await showFailure(c, visibleError).catch(() => null)
      return plainPage ?? c.html(visibleError.status, createLastPage(visibleError))
    }
  }
}

/** Returns a plain page that uses nothing of the project, because the project's own error page has failed. */
function createLastPage({ status, message }: HttpError): Html {
  const text = escapeHtml(`${status} ${message}`)
  return raw(
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text}</title></head><body><h1>${text}</h1></body></html>\n`,
  )
}

function findOutermostLayout({ tree }: Routes): number | undefined {
  const index = tree.layouts.findIndex(({ path }) => path === "/")
  return index < 0 ? undefined : index
}

/** Answers with the script for deferred blocks. */
const answerScript: HandlerFunc = (c) => {
  c.setHeader("Cache-Control", "public, max-age=31536000, immutable")
  return c.blob(200, "text/javascript; charset=utf-8", deferScript)
}

/** The headers that {@link asksForFragment} reads, for `Vary`. */
const fragmentHeaders = "HX-Request, HX-Request-Type, HX-Boosted, HX-History-Restore-Request, HX-Target"

/**
 * Returns true if htmx swaps a part of a page. Version 4 says so in `HX-Request-Type`. Versions 1 and 2 name only the
 * element that is swapped. With them, a request needs the whole page if it is for a boosted link, for a page of the
 * history, or for the body, whose id is known.
 *
 * @param bodyID the id of the layout's `body`; `""` if it has none.
 */
function asksForFragment(c: Context, bodyID: string): boolean {
  const type = c.header("hx-request-type")
  if (type !== "") return type === "partial"
  if (!c.isHTMX || c.header("hx-boosted") !== "" || c.header("hx-history-restore-request") !== "") return false
  return bodyID === "" || c.header("hx-target") !== bodyID
}

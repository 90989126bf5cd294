/** Pages: a page in its nearest layout, fragments for htmx, and error pages for browsers. */

import { isResponse } from "../chain.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { formatNoRoute } from "../errors/error-response.ts"
import { fault, misuse } from "../errors/fault.ts"
import type { HttpError } from "../errors.ts"
import { escapeHtml } from "../html/escape.ts"
import { getDeferredBlocks, Html, raw } from "../html/text.ts"
import { isDelay } from "../lifecycle/seconds.ts"
import type { Pattern } from "../pattern.ts"
import { prefersHTML } from "../request/accept.ts"
import { checkFields, describeType } from "../text.ts"
import { renderChannel } from "../trace/operations.ts"
import type { Routes, TreePage, TreeRoute } from "../tree.ts"
import type { HandlerFunc } from "../types.ts"
import { addScripts, answerDeferred } from "./answer-deferred.ts"
import { deferScript, deferScriptPath } from "./defer-script.ts"
import { getExport } from "./get-export.ts"

/** Result of a page or a layout: markup, or for a page also a whole Response. */
type PageResult = Html | Response | Promise<Html | Response>
type PageFunc = (c: Context) => PageResult
type LayoutFunc = (title: string, c: Context, children: Html) => Html | Promise<Html>
type NotFoundFunc = (c: Context, message: string) => PageResult
type FailureFunc = (c: Context, status: number, message: string) => PageResult
type PageTitle = string | ((c: Context) => string | Promise<string>)

/**
 * The rule of a page for fragments: `false` to always send the whole page, or a function that says whether a request
 * gets the page without its layout.
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
   * Answers with only the markup (true) or in the layout (false). Default: only the markup if htmx swaps a part of a page.
   */
  readonly fragment?: boolean
  /** Seconds after which a `{defer}` block of the page has failed. Default: 30. */
  readonly deferTimeout?: number
}

/** A page with everything that is needed to show it. */
interface PageView {
  readonly file: string
  readonly title: PageTitle
  readonly layout: Layout | undefined
  /** Default: the rule of htmx. */
  readonly fragment: FragmentRule | undefined
  /** Seconds after which a deferred block has failed. */
  readonly deferTimeout: number | undefined
}

/** A layout, and the id of its `body`, by which htmx 1 and 2 name what they swap. */
interface Layout {
  readonly render: LayoutFunc
  readonly bodyID: string
}

/** The advice for what is not markup. */
const markupHint = "use a template or html`…`, or raw(String(<Page />)) for JSX, from fw/html"

/** The layouts of the routes that `c.page()` puts markup into, by the pattern that a request matched. */
const layoutsByPattern = new WeakMap<Pattern, Pick<PageView, "layout" | "fragment">>()

/** A page that is made at build time is whole for every client, because it has one answer. */
const toFragmentRule = ({ prerender }: TreePage | TreeRoute) => (prerender ? false : undefined)

/** The pages of a tree. */
export interface Pages {
  /** Lets `c.page()` of the routes with this pattern use the nearest layout of the route. */
  setLayout(pattern: Pattern, route: TreePage | TreeRoute): void
  /** Returns the handler of a page. @throws FwError `mount` if its file or its layout's lacks the exported function. */
  createHandler(page: TreePage): HandlerFunc
  /** Returns the pages for errors, in the outermost layout; undefined if there are none. */
  createErrorPages(): ErrorPages | undefined
  /** Returns HTML with the scripts of its custom elements. */
  addScripts(c: Context, html: string): string
  /** The route of the script that puts deferred blocks into their places. */
  readonly script: { readonly path: string; readonly handler: HandlerFunc }
}

/** Returns the pages of a tree and its modules. */
export function createPages(routes: Routes): Pages {
  const layoutAt = createLayoutFinder(routes)
  return {
    setLayout(pattern, route) {
      const layout = layoutAt(route.layout)
      if (layout) layoutsByPattern.set(pattern, { layout, fragment: toFragmentRule(route) })
    },
    createHandler: (page) => createPageHandler(routes, page, layoutAt(page.layout)),
    createErrorPages: () => createErrorPages(routes),
    addScripts,
    script: { path: deferScriptPath, handler: answerScript },
  }
}

/** Returns a function that makes each layout of a tree once, because many pages share it. @param routes the tree and its modules. */
function createLayoutFinder(routes: Routes): (index: number | undefined) => Layout | undefined {
  const layoutCache: Layout[] = []
  return (index) => {
    const found = index === undefined ? undefined : routes.tree.layouts[index]
    if (!found) return undefined
    layoutCache[index as number] ??= createLayout(routes, found.file)
    return layoutCache[index as number]
  }
}

function createLayout(routes: Routes, file: string): Layout {
  // A layout inside another one has no body of its own.
  const bodyID =
    getBodyID(routes, file) || getBodyID(routes, routes.tree.layouts[findOutermostLayout(routes) ?? -1]?.file)
  return { render: getExport<LayoutFunc>(routes, file, "Layout"), bodyID }
}

/** The id that the compiler found in a template; `""` for none. */
function getBodyID(routes: Routes, file = ""): string {
  return String(routes.modules[file]?.$fwBodyID ?? "")
}

/** Returns a page as its module describes it. @throws FwError `mount` for an export of the wrong kind. */
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

/** Does what `c.page()` does. */
export async function answerPage(
  c: Context,
  status: number,
  title: string,
  content: Html | Promise<Html>,
  options: PageOptions = {},
): Promise<Response> {
  // Before the first await the stack has the call, which `fw dev` marks.
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
  const kept = pattern && layoutsByPattern.get(pattern)
  const view = { file: "c.page()", title, layout: kept?.layout, fragment: fragment ?? kept?.fragment, deferTimeout }
  return answerMarkup(c, status, markup, view)
}

/**
 * Returns the handler of a page.
 *
 * @throws FwError `mount` if its file or its layout's lacks the exported function.
 */
function createPageHandler(routes: Routes, at: TreePage, layout: Layout | undefined): HandlerFunc {
  const { file, title } = at
  const page = getExport<PageFunc>(routes, file, "Page")
  const { fragment = toFragmentRule(at), ...rest } = createView(routes, file, title, layout)
  const view = { ...rest, fragment }
  return async (c) => answerMarkup(c, 200, await page(c), view)
}

/** Returns markup in its layout, unless htmx swaps a part of a page. */
async function answerMarkup(c: Context, status: number, content: unknown, view: PageView): Promise<Response> {
  return renderChannel.isWatched ? publishRender(c, status, content, view) : renderMarkup(c, status, content, view)
}

function publishRender(...page: Parameters<typeof renderMarkup>): Promise<Response> {
  const [c, , , { file }] = page
  return renderChannel.run(file, () => renderMarkup(...page), c)
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
  const isAlone = typeof fragment === "function" ? fragment(c) : (fragment ?? asksForFragment(c, layout.bodyID))
  if (isAlone) return send(content, true)
  const text = typeof title === "function" ? await title(c) : title
  if (typeof text === "string") return send(await layout.render(text, c, content), false)
  throw new TypeError(`the title of ${file} returned ${typeof text}, not a string`)
}

/**
 * Returns an error page; null if the response should be JSON.
 *
 * @param failed takes what the page or its layout throws, and returns the error to show instead.
 */
export type ErrorPages = (
  c: Context,
  error: HttpError,
  failed: (again: unknown) => HttpError,
) => Promise<Response | null>

/**
 * Returns the application's `not-found` and `error` pages, in its outermost layout; undefined if it has
 * neither.
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
  return async (c, error, failed) => {
    c.appendHeader("Vary", "Accept")
    // htmx shows in the page what it restores, whatever its Accept header says.
    if (c.header("hx-history-restore-request") === "" && !prefersHTML(c.header("accept"))) return null
    try {
      if (error.status !== 404 || !notFound) return await showFailure(c, error, layout)
      const own = error.message === formatNoRoute(c) ? "" : error.message
      return await answerMarkup(c, 404, await notFound.render(c, own), notFound.view)
    } catch (again) {
      const visibleError = failed(again)
      // The layout may be what failed, and would fail again.
      const alone = await showFailure(c, visibleError).catch(() => null)
      return alone ?? c.html(visibleError.status, createLastPage(visibleError))
    }
  }
}

/** Returns a page that needs nothing of the project. */
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

/** Answers with the script of deferred blocks. */
const answerScript: HandlerFunc = (c) => {
  c.setHeader("Cache-Control", "public, max-age=31536000, immutable")
  return c.blob(200, "text/javascript; charset=utf-8", deferScript)
}

/** The headers that {@link asksForFragment} reads, for `Vary`. */
const fragmentHeaders = "HX-Request, HX-Request-Type, HX-Boosted, HX-History-Restore-Request, HX-Target"

/**
 * Returns true where htmx swaps a part of a page. Its version 4 says so in `HX-Request-Type`. Versions 1 and 2 name
 * only the element that is swapped: the whole page is needed for a boosted link, for a page of the history, and where
 * that element is the body, which is known by its id.
 *
 * @param bodyID the id of the layout's `body`; `""` for one without an id.
 */
function asksForFragment(c: Context, bodyID: string): boolean {
  const type = c.header("hx-request-type")
  if (type !== "") return type === "partial"
  if (!c.isHTMX || c.header("hx-boosted") !== "" || c.header("hx-history-restore-request") !== "") return false
  return bodyID === "" || c.header("hx-target") !== bodyID
}

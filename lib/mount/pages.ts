/** Pages: a page in its nearest layout, fragments for htmx, and error pages for browsers. */

import { isResponse } from "../chain.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { noRoute } from "../error-response.ts"
import type { HttpError } from "../errors.ts"
import { fault, misuse } from "../fault.ts"
import { escapeHtml } from "../html/escape.ts"
import { deferredIn, Html, raw } from "../html/text.ts"
import type { Pattern } from "../pattern.ts"
import { prefersHTML } from "../request/accept.ts"
import { isDelay } from "../seconds.ts"
import { checkFields, describe } from "../text.ts"
import type { Routes, TreePage } from "../tree.ts"
import type { HandlerFunc } from "../types.ts"
import { script, scriptPath } from "./defer-script.ts"
import { answerDeferred } from "./deferred.ts"
import { exported } from "./module-exports.ts"

/** Result of a page or a layout: markup, or for a page also a whole Response. */
type Rendered = Html | Response | Promise<Html | Response>
type PageFunc = (c: Context) => Rendered
type LayoutFunc = (title: string, c: Context, children: Html) => Html | Promise<Html>
type NotFoundFunc = (c: Context, message: string) => Rendered
type FailureFunc = (c: Context, status: number, message: string) => Rendered
type Title = string | ((c: Context) => string | Promise<string>)

/**
 * The rule of a page for fragments: `false` for always the whole page, or a function that says whether a request gets
 * the page without its layout.
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
interface View {
  readonly file: string
  readonly title: Title
  readonly layout: Layout | undefined
  /** Default: the rule of htmx. */
  readonly fragment: FragmentRule | undefined
  /** Seconds after which a deferred block has failed. */
  readonly deferTimeout: number | undefined
}

/** A layout, and the id of its `body`, by which htmx 1 and 2 name what they swap. */
interface Layout {
  readonly draw: LayoutFunc
  readonly bodyID: string
}

/** The advice for what is not markup. */
const advice = "use a template or html`…`, or raw(String(<Page />)) for JSX, from fw/html"

/** The layouts of the routes that `c.page()` puts markup into, by the pattern that a request matched. */
const layouts = new WeakMap<Pattern, Layout>()

/** The pages of a tree. */
export interface Pages {
  /** Lets `c.page()` of the routes with this pattern use their nearest layout. @param layout its index in the tree. */
  keepLayout(pattern: Pattern, layout: number | undefined): void
  /** Returns the handler of a page. @throws FwError `mount` if its file or its layout's lacks the exported function. */
  handlerOf(page: TreePage): HandlerFunc
  /** Returns the pages for errors, in the outermost layout; undefined if there are none. */
  errorPages(): ErrorPages | undefined
  /** The route of the script that puts deferred blocks into their places. */
  readonly script: { readonly path: string; readonly handler: HandlerFunc }
}

/** Returns the pages of a tree and its modules. */
export function pagesOf(routes: Routes): Pages {
  const layoutAt = layoutsOf(routes)
  return {
    keepLayout(pattern, index) {
      const layout = layoutAt(index)
      if (layout) layouts.set(pattern, layout)
    },
    handlerOf: (page) => pageHandler(routes, page, layoutAt(page.layout)),
    errorPages: () => errorPages(routes),
    script: { path: scriptPath, handler: scriptHandler },
  }
}

/** Returns a function that makes each layout of a tree once, because many pages share it. @param routes the tree and its modules. */
function layoutsOf(routes: Routes): (index: number | undefined) => Layout | undefined {
  const made: Layout[] = []
  return (index) => {
    const found = index === undefined ? undefined : routes.tree.layouts[index]
    if (!found) return undefined
    made[index as number] ??= makeLayout(routes, found.file)
    return made[index as number]
  }
}

function makeLayout(routes: Routes, file: string): Layout {
  // A layout inside another one has no body of its own.
  const bodyID =
    bodyIDOf(routes, file) || bodyIDOf(routes, routes.tree.layouts[outermost(routes) ?? -1]?.file)
  return { draw: exported<LayoutFunc>(routes, file, "Layout"), bodyID }
}

/** The id that the compiler found in a template; `""` for none. */
function bodyIDOf(routes: Routes, file = ""): string {
  return String(routes.modules[file]?.$fwBodyID ?? "")
}

/** Returns a page as its module describes it. @throws FwError `mount` for an export of the wrong kind. */
function viewOf(routes: Routes, file: string, fallback: string, layout: Layout | undefined): View {
  const { title = fallback, fragment, deferTimeout } = routes.modules[file] ?? {}
  const at = { file }
  if (typeof title !== "string" && typeof title !== "function")
    throw fault("mount.title", [file, typeof title], { at })
  if (fragment !== undefined && fragment !== false && typeof fragment !== "function")
    throw fault("mount.fragment", [file, fragment], { at })
  if (deferTimeout !== undefined && !(isDelay(deferTimeout) && deferTimeout > 0))
    throw fault("mount.deferTimeout", [file, deferTimeout], { at })
  return { file, title: title as Title, layout, fragment: fragment as FragmentRule | undefined, deferTimeout }
}

function checkHtml(markup: unknown): void {
  if (!(markup instanceof Html))
    throw new TypeError(`c.page() takes Html, not ${describe(markup)}: ${advice}`)
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
      `c.page() takes a text as its title, not ${describe(title)}: write c.page(status, title, html)`,
    )
  if (typeof (content as Partial<Promise<Html>> | undefined)?.then !== "function") checkHtml(content)
  checkFields(options, ["fragment", "deferTimeout"], "c.page() takes as its options")
  const { fragment, deferTimeout } = options
  if (fragment !== undefined && typeof fragment !== "boolean")
    throw new TypeError(`c.page() takes true or false as fragment, not ${describe(fragment)}`)
  if (deferTimeout !== undefined && !(isDelay(deferTimeout) && deferTimeout > 0))
    throw new TypeError(
      `c.page() takes a number of seconds above 0 as deferTimeout, not ${describe(deferTimeout)}`,
    )
  const markup: unknown = await content
  checkHtml(markup)
  const pattern = access.matchedPattern(c)
  const layout = pattern && layouts.get(pattern)
  return show(c, status, markup, { file: "c.page()", title, layout, fragment, deferTimeout })
}

/**
 * Returns the handler of a page.
 *
 * @throws FwError `mount` if its file or its layout's lacks the exported function.
 */
function pageHandler(routes: Routes, { file, title }: TreePage, layout: Layout | undefined): HandlerFunc {
  const page = exported<PageFunc>(routes, file, "Page")
  const view = viewOf(routes, file, title, layout)
  return async (c) => show(c, 200, await page(c), view)
}

/** Returns markup in its layout, unless htmx swaps a part of a page. */
async function show(
  c: Context,
  status: number,
  content: unknown,
  { file, title, layout, fragment, deferTimeout }: View,
): Promise<Response> {
  if (isResponse(content)) return content
  if (!(content instanceof Html)) {
    throw new TypeError(`${file} returned ${typeof content}, not Html: ${advice}`)
  }
  const send = (page: Html, isFragment: boolean) =>
    deferredIn(page)
      ? answerDeferred(c, status, page, { isFragment, timeout: deferTimeout })
      : c.html(status, page)
  if (!layout) return send(content, false)
  if (typeof fragment !== "boolean") c.appendHeader("Vary", fragmentHeaders)
  const alone = typeof fragment === "function" ? fragment(c) : (fragment ?? asksForFragment(c, layout.bodyID))
  if (alone) return send(content, true)
  const text = typeof title === "function" ? await title(c) : title
  if (typeof text === "string") return send(await layout.draw(text, c, content), false)
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
function errorPages(routes: Routes): ErrorPages | undefined {
  const { tree } = routes
  if (!tree.notFound && !tree.error) return undefined
  const layout = layoutsOf(routes)(outermost(routes))
  const notFound = tree.notFound && {
    view: viewOf(routes, tree.notFound.file, "Not found", layout),
    render: exported<NotFoundFunc>(routes, tree.notFound.file, "NotFound"),
  }
  const failure = tree.error && {
    view: viewOf(routes, tree.error.file, "Error", layout),
    render: exported<FailureFunc>(routes, tree.error.file, "Failure"),
  }
  const showFailure = async (c: Context, { status, message }: HttpError, frame?: Layout) =>
    failure
      ? show(c, status, await failure.render(c, status, message), { ...failure.view, layout: frame })
      : null
  return async (c, error, failed) => {
    c.appendHeader("Vary", "Accept")
    // htmx shows what it restores in the page, whatever its Accept header says.
    if (c.header("hx-history-restore-request") === "" && !prefersHTML(c.header("accept"))) return null
    try {
      if (error.status !== 404 || !notFound) return await showFailure(c, error, layout)
      const own = error.message === noRoute(c) ? "" : error.message
      return await show(c, 404, await notFound.render(c, own), notFound.view)
    } catch (again) {
      const shown = failed(again)
      // The layout may have failed, and would again.
      const alone = await showFailure(c, shown).catch(() => null)
      return alone ?? c.html(shown.status, lastPage(shown))
    }
  }
}

/** Returns a page that needs nothing of the project. */
function lastPage({ status, message }: HttpError): Html {
  const text = escapeHtml(`${status} ${message}`)
  return raw(
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text}</title></head><body><h1>${text}</h1></body></html>\n`,
  )
}

function outermost({ tree }: Routes): number | undefined {
  const index = tree.layouts.findIndex(({ path }) => path === "/")
  return index < 0 ? undefined : index
}

/** Answers with the script of deferred blocks. */
const scriptHandler: HandlerFunc = (c) => {
  c.setHeader("Cache-Control", "public, max-age=31536000, immutable")
  return c.blob(200, "text/javascript; charset=utf-8", script)
}

/** The headers that {@link asksForFragment} reads, for `Vary`. */
const fragmentHeaders = "HX-Request, HX-Request-Type, HX-Boosted, HX-History-Restore-Request, HX-Target"

/**
 * Returns true where htmx swaps a part of a page. Its version 4 says so in `HX-Request-Type`. Versions 1 and 2 name only
 * the element that is swapped: the whole page is due for a boosted link, for a page of the history, and where that
 * element is the body, which is known by its id.
 *
 * @param bodyID the id of the layout's `body`; `""` for one without an id.
 */
function asksForFragment(c: Context, bodyID: string): boolean {
  const type = c.header("hx-request-type")
  if (type !== "") return type === "partial"
  if (!c.isHTMX || c.header("hx-boosted") !== "" || c.header("hx-history-restore-request") !== "")
    return false
  return bodyID === "" || c.header("hx-target") !== bodyID
}

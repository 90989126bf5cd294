/** Pages: a page in its nearest layout, fragments for htmx, and error pages for browsers. */

import { isResponse } from "../chain.ts"
import type { Context } from "../context.ts"
import type { HttpError } from "../errors.ts"
import { fault } from "../fault.ts"
import { Html } from "../html.ts"
import { weightsOf } from "../request/accept-encoding.ts"
import type { Routes, TreePage } from "../tree.ts"
import type { HandlerFunc } from "../types.ts"
import { exported } from "./module-exports.ts"

/** Result of a page or a layout: markup, or for a page also a whole Response. */
type Rendered = Html | Response | Promise<Html | Response>
type PageFunc = (c: Context) => Rendered
type LayoutFunc = (title: string, c: Context, children: Html) => Html | Promise<Html>
type FailureFunc = (c: Context, status: number, message: string) => Rendered
type Title = string | ((c: Context) => string | Promise<string>)

/**
 * Headers with which htmx 2 and later request a fragment. Responses that depend on them list them in `Vary`.
 */
const fragmentHeaders = "HX-Request, HX-Request-Type, HX-Boosted, HX-History-Restore-Request"

/** A page with everything that is needed to show it. */
interface View {
  readonly file: string
  readonly title: Title
  readonly layout: LayoutFunc | undefined
}

function titleOf(routes: Routes, file: string, fallback: string): Title {
  const { title = fallback } = routes.modules[file] ?? {}
  if (typeof title === "string" || typeof title === "function") return title as Title
  throw fault("mount.title", [file, typeof title], { at: { file } })
}

function layoutOf(routes: Routes, index: number | undefined): LayoutFunc | undefined {
  const layout = index === undefined ? undefined : routes.tree.layouts[index]
  return layout && exported<LayoutFunc>(routes, layout.file, "Layout")
}

/**
 * Returns the handler of a page.
 *
 * @throws FwError `mount` if its file or its layout's lacks the exported function.
 */
export function pageHandler(routes: Routes, { file, layout, title }: TreePage): HandlerFunc {
  const page = exported<PageFunc>(routes, file, "Page")
  const view = { file, title: titleOf(routes, file, title), layout: layoutOf(routes, layout) }
  return async (c) => show(c, 200, await page(c), view)
}

/** Returns markup in its layout, unless htmx requested only the markup. */
async function show(
  c: Context,
  status: number,
  content: unknown,
  { file, title, layout }: View,
): Promise<Response> {
  if (isResponse(content)) return content
  if (!(content instanceof Html)) {
    throw new TypeError(
      `${file} returned ${typeof content}, not Html: use a template or html\`…\`, or raw(String(<Page />)) for JSX, from fw/html`,
    )
  }
  if (!layout) return c.html(status, content)
  c.appendHeader("Vary", fragmentHeaders)
  if (isFragment(c)) return c.html(status, content)
  const text = typeof title === "function" ? await title(c) : title
  if (typeof text === "string") return c.html(status, await layout(text, c, content))
  throw new TypeError(`the title of ${file} returned ${typeof text}, not a string`)
}

/**
 * Returns true if htmx requests the page without its layout. Version 4 says so; with version 2 it follows
 * from other headers.
 */
function isFragment(c: Context): boolean {
  const type = c.header("hx-request-type")
  if (type !== "") return type === "partial"
  return c.isHTMX && c.header("hx-boosted") === "" && c.header("hx-history-restore-request") === ""
}

/** Returns an error page; null if the response should be JSON. */
export type ErrorPages = (c: Context, error: HttpError) => Promise<Response | null>

/**
 * Returns the application's `not-found` and `error` pages, in its outermost layout; undefined if it has
 * neither.
 */
export function errorPages(routes: Routes): ErrorPages | undefined {
  const { tree } = routes
  if (!tree.notFound && !tree.error) return undefined
  const layout = layoutOf(routes, outermost(routes))
  const notFound = tree.notFound && {
    view: { file: tree.notFound.file, title: titleOf(routes, tree.notFound.file, "Not found"), layout },
    render: exported<PageFunc>(routes, tree.notFound.file, "NotFound"),
  }
  const failure = tree.error && {
    view: { file: tree.error.file, title: titleOf(routes, tree.error.file, "Error"), layout },
    render: exported<FailureFunc>(routes, tree.error.file, "Failure"),
  }
  return async (c, error) => {
    c.appendHeader("Vary", "Accept")
    if (!wantsHTML(c)) return null
    const { status, message } = error
    if (status === 404 && notFound) return show(c, status, await notFound.render(c), notFound.view)
    return failure ? show(c, status, await failure.render(c, status, message), failure.view) : null
  }
}

function outermost({ tree }: Routes): number | undefined {
  const index = tree.layouts.findIndex(({ path }) => path === "/")
  return index < 0 ? undefined : index
}

/**
 * Returns true if the Accept header contains `text/html` and does not prefer JSON. With `*` + `/*`, as
 * programs send it, the response stays JSON. htmx shows what it restores in the page, whatever its Accept
 * header says.
 */
function wantsHTML(c: Context): boolean {
  if (c.header("hx-history-restore-request") !== "") return true
  const weights = weightsOf(c.header("accept"))
  const html = weights.get("text/html") ?? 0
  return html > 0 && html >= (weights.get("application/json") ?? 0)
}

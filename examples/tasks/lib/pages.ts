/** Shared code of the pages: fragments for htmx, and responses to forms. */
import type { Context } from "fw"
import type { Html } from "fw/html"
import { Layout } from "../app/layout.tpl.ts"

/** Returns true if htmx requests only the content of the layout. */
export function isFragment(c: Context): boolean {
  return c.header("hx-request-type") === "partial"
}

/**
 * Returns true if htmx puts the response into the element with this id. htmx sends its target as `section#results`.
 */
export function isFor(c: Context, id: string): boolean {
  // One URL has several responses, which caches must keep apart.
  c.appendHeader("Vary", "HX-Target")
  return isFragment(c) && c.header("hx-target").endsWith(`#${id}`)
}

/** Returns the page of an invalid form again, rendered as `fw` renders pages. */
export function showAgain(c: Context, title: string, content: Html): Response {
  return c.html(422, isFragment(c) ? content : Layout(`Not saved yet: ${title}`, c, content))
}

/** Returns the text fields of a form. */
export async function readFields(c: Context): Promise<Record<string, string>> {
  const fields: Record<string, string> = {}
  for (const [name, value] of await c.form()) if (typeof value === "string") fields[name] = value
  return fields
}

/** Matches paths to which a form may redirect, because input must not redirect to another site. */
const pagePattern = /^\/(?:tasks\/\d+)?(?:\?[\w=&%+.~*-]*)?$/

/**
 * Redirects to the path `back`, or to `/` if it is none of the pages. Status 303 makes browsers send a GET, so
 * reloading the page does not send the form again.
 */
export function goBack(c: Context, { back = "/" }: { readonly back?: string }): Response {
  return c.redirect(303, pagePattern.test(back) ? back : "/")
}

/** What the pages share: which part of them is asked for, and answers that are not a page of their own. */
import type { Context } from "fw"
import type { Html } from "fw/html"
import { Layout } from "../app/layout.tpl.ts"

/** Whether htmx asks for what stands inside the layout. */
export function isFragment(c: Context): boolean {
  return c.header("hx-request-type") === "partial"
}

/** Whether htmx puts the answer into the element of this id: it names its target `section#results`. */
export function isFor(c: Context, id: string): boolean {
  // One address, several answers: a cache has to keep them apart.
  c.appendHeader("Vary", "HX-Target")
  return isFragment(c) && c.header("hx-target").endsWith(`#${id}`)
}

/** Answers a form that was not taken with its page again, as `fw` shows pages. */
export function showAgain(c: Context, title: string, content: Html): Response {
  return c.html(422, isFragment(c) ? content : Layout(`Not saved yet: ${title}`, c, content))
}

/** The fields of a form that are texts. */
export async function fieldsOf(c: Context): Promise<Record<string, string>> {
  const fields: Record<string, string> = {}
  for (const [name, value] of await c.form()) if (typeof value === "string") fields[name] = value
  return fields
}

/** Pages that a form may lead back to. An address from outside must not lead out of the site. */
const pages = /^\/(?:tasks\/\d+)?(?:\?[\w=&%+.~*-]*)?$/

/** Back to where a form was: 303 makes it a GET, for htmx too, and reloading does not send the form again. */
export function goBack(c: Context, { back = "/" }: { readonly back?: string }): Response {
  return c.redirect(303, pages.test(back) ? back : "/")
}

/**
 * A message for the page that a form redirects to. It is read once. Reloading that page does not send the
 * form again.
 */
import type { Context } from "fw"
import { dropCookie, keepCookie } from "./cookies.ts"

const name = "flash"

/** The message for a page. */
export interface Flash {
  /** The kind of error in a form, which the page has a text for. */
  readonly problem?: string
  /** The kind of success, likewise. */
  readonly done?: string
  /** Input to correct. */
  readonly email?: string
  /** A new API key, which is shown only this once. */
  readonly key?: string
}

/** Redirects to a page, with a message. */
export function goTo(c: Context, path: string, flash?: Flash): Response {
  if (flash) leaveFlash(c, path, flash)
  return c.redirect(303, path)
}

/** Leaves a message for a page that a script goes to: for a minute and only for that page, because it may contain a secret. */
export function leaveFlash(c: Context, path: string, flash: Flash): void {
  keepCookie(c, { name, path }, JSON.stringify(flash), 60)
}

/** Returns the message for a page. */
export function flashOf(c: Context): Flash {
  const kept = c.get<Flash>(name)
  if (kept) return kept
  const text = c.cookie(name)
  if (text !== "") dropCookie(c, { name, path: c.path })
  const flash = parse(text)
  c.set(name, flash)
  return flash
}

function parse(text: string): Flash {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== "object" || value === null) return {}
    return Object.fromEntries(Object.entries(value).filter(([, part]) => typeof part === "string"))
  } catch {
    return {}
  }
}

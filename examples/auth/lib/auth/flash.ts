/** A note for the page that a form leads to: it is read once. So reloading that page sends no form again. */
import type { Context } from "fw"

const name = "flash"
const attributes = { name, httpOnly: true, secure: true, sameSite: "Lax" } as const

/** What a page may be told. */
export interface Flash {
  /** What went wrong with a form, in a word that the page knows. */
  readonly problem?: string
  /** What was done, likewise. */
  readonly done?: string
  /** What was entered, to be corrected. */
  readonly email?: string
  /** A new API key. This is the only time that it is shown. */
  readonly key?: string
}

/** Leads to a page and tells it something. */
export function goTo(c: Context, path: string, flash?: Flash): Response {
  // For a minute, and for that page only: it may be a secret.
  if (flash) c.setCookie({ ...attributes, path, value: JSON.stringify(flash), maxAge: 60 })
  return c.redirect(303, path)
}

/** What the page was told. */
export function flashOf(c: Context): Flash {
  const kept = c.get<Flash>(name)
  if (kept) return kept
  const text = c.cookie(name)
  if (text !== "") c.setCookie({ ...attributes, path: c.path, value: "", maxAge: -1 })
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

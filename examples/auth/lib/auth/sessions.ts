/**
 * Finds out who is signed in: each browser has a session of fw/session and a row of `sign_ins`, which its user can
 * list and end.
 */
import { type Context, combine, contextKey, forbidden, HttpError, type MiddlewareFunc } from "fw"
import { session } from "fw/session"
import { db } from "../../db/index.ts"
import { noteDevice } from "./devices.ts"
import { identify } from "./identity.ts"
import { randomHex } from "./secrets.ts"
import { store } from "./store.ts"
import { textsOf } from "./texts.ts"
import { toUser, type User, type UserRow } from "./users.ts"
import type { Timestamp } from "./words.ts"

declare module "fw/session" {
  interface SessionData {
    /** The id of the row in `sign_ins`. */
    signIn: string
    /** The page that a visitor asked for before signing in. */
    wanted: string
    /** Digests of secrets that only this browser may use. */
    secrets: string[]
    /** The digest of the token of a link in a mail. */
    reset: string
  }
}

/** The seconds after which a user has to sign in again: two weeks. */
const lifetime = 14 * 86_400

/**
 * The middleware of sessions. The other middleware of this module includes it, and `app.use(sessions)` gives every
 * route `c.session`.
 */
export const sessions = session({ store, idle: lifetime, lifetime })

/** The login page, and the page after it. */
export const [loginPath, homePath] = ["/login", "/dashboard"]

/** A browser in which a user is signed in. */
export interface SignIn {
  readonly id: string
  readonly user_agent: string
  readonly address: string
  readonly created_at: Timestamp
}

/** The user of a request, and the sign-in: `currentSignIn.get(c)` behind `requireSession()`. */
export const currentSignIn = contextKey<{ readonly id: string; readonly user: User }>("sign_in")

/** Signs a user in, and redirects to the page that was requested before. The browser's earlier session ends. */
export async function signIn(c: Context, user: User): Promise<Response> {
  const to = c.session.get("wanted") ?? homePath
  c.session.delete("wanted")
  await endSignIn(c)
  const id = randomHex(8)
  const now = Date.now()
  await db.sql`DELETE FROM sign_ins WHERE created_at <= ${now - lifetime * 1000}`
  await db.sql`INSERT INTO sign_ins (id, user_id, user_agent, address, created_at)
    VALUES (${id}, ${user.id}, ${c.header("user-agent").slice(0, 300)}, ${c.clientIP}, ${now})`
  await noteDevice(c, user)
  c.session.signIn(user.id)
  c.session.set("signIn", id)
  return goTo(c, to)
}

/** Signs the user out. */
export async function signOut(c: Context): Promise<void> {
  await endSignIn(c)
  c.session.destroy()
}

async function endSignIn(c: Context): Promise<void> {
  const id = c.session.get("signIn")
  if (id !== undefined) await db.sql`DELETE FROM sign_ins WHERE id = ${id}`
}

/**
 * Redirects to a page. For htmx this is a header, because after a redirect it would put the whole page into a part
 * of this one.
 */
export function goTo(c: Context, path: string): Response {
  if (!c.isHTMX) return c.redirect(303, path)
  c.setHeader("HX-Redirect", path)
  return c.noContent()
}

/**
 * Finds out who is signed in, and sets `user_id`, `user_email`, `user_role` and `sign_in`. They are read from the
 * database, so an ended sign-in and a changed role take effect at once.
 *
 * @returns false if nobody is signed in.
 */
export async function enter(c: Context): Promise<boolean> {
  const id = c.session.get("signIn")
  if (id === undefined) return false
  const [row] = await db.sql<UserRow>`SELECT users.* FROM sign_ins JOIN users ON users.id = user_id
    WHERE sign_ins.id = ${id}`
  if (!row) {
    c.session.destroy()
    return false
  }
  const user = toUser(row)
  identify(c, { ...user, userID: user.id })
  currentSignIn.set(c, { id, user })
  return true
}

const guard: MiddlewareFunc = (next) => async (c) => {
  // Caches must not keep private pages, nor may the browser's back button show them after signing out.
  c.setHeader("Cache-Control", "no-store")
  if (await enter(c)) return next(c)
  if (c.isHTMX)
    throw new HttpError(401, "sign in first", {
      headers: { "HX-Redirect": loginPath, "WWW-Authenticate": "Cookie" },
    })
  rememberPage(c)
  return c.redirect(303, loginPath)
}

/** Remembers the page that a visitor requested, to redirect there after signing in. Programs get no session. */
export function rememberPage(c: Context): void {
  if (c.method === "GET" && c.header("accept").includes("text/html"))
    c.session.set("wanted", c.path + c.search)
}

/**
 * Requires a session. Other requests are redirected to the login page, and back after signing in.
 *
 * @security session __Host-session
 */
export function requireSession(): MiddlewareFunc {
  return combine.every(sessions, guard)
}

/** Requires a verified email address, behind `requireSession()`. */
export function requireVerified(): MiddlewareFunc {
  return (next) => (c) => {
    if (!currentSignIn.get(c).user.isVerified) throw forbidden(textsOf(c).verifyFirst)
    return next(c)
  }
}

/** Returns the browsers in which a user is signed in, the latest first. */
export function listSignIns(userID: string): Promise<readonly SignIn[]> {
  return db.sql`SELECT id, user_agent, address, created_at FROM sign_ins
    WHERE user_id = ${userID} AND created_at > ${Date.now() - lifetime * 1000} ORDER BY created_at DESC, id`
}

/** Ends one of a user's own sign-ins. Returns false if it belongs to nobody or to another user. */
export async function revokeSignIn(userID: string, id: string): Promise<boolean> {
  const rows = await db.sql`DELETE FROM sign_ins WHERE user_id = ${userID} AND id = ${id} RETURNING id`
  return rows.length > 0
}

/** Ends all sign-ins of a user except one. */
export async function revokeOtherSignIns(userID: string, id: string): Promise<void> {
  await db.sql`DELETE FROM sign_ins WHERE user_id = ${userID} AND id <> ${id}`
}

/**
 * Limits password guessing, and refuses forms of other sites, for the sign-in routes. The counts are in the
 * database, which all processes share. Opening a page does not count.
 */
import { type Context, combine, csrf, type MiddlewareFunc, rateLimit } from "fw"
import { readCount } from "./env.ts"
import { store } from "./store.ts"

/** Attempts to sign in or up per minute, at one account from one address. */
const attempts = readCount("AUTH_LOGIN_LIMIT", 10, [1, 1_000_000])

const isPageView = (c: Context) => c.method === "GET" || c.method === "HEAD"

/** Limits the attempts of one client at one account. All ways to sign in share one count. */
const byBoth = rateLimit({
  ...{ name: "sign-in", limit: attempts, window: 60, store },
  key: async (c) => `${c.clientIP} ${await readEmail(c)}`,
})
// Limits the attempts of all clients at one account. The limit is higher, because the owner of the account has to
// wait too.
const byAccount = rateLimit({ name: "account", limit: attempts * 10, window: 3600, store, key: readEmail })
// Limits the attempts of one address at all accounts. The address may be that of a school, in which everybody signs
// in at nine.
const byAddress = rateLimit({ name: "address", limit: attempts * 30, window: 60, store })
// Limits mails to one address: each request may send one to the address of the form, or to the user. Addresses
// without an account count too.
const byMail = rateLimit({
  ...{ name: "mail", limit: Math.ceil(attempts / 2), window: 3600, store },
  key: async (c) => (await readEmail(c)) || c.getString("user_email") || null,
})
const byVisitor = rateLimit({ name: "visitor", limit: attempts * 30, window: 60, store })

/** Middleware for the routes that take a password. Forged requests are not counted. */
export const guardPassword = (): MiddlewareFunc[] => [
  csrf(),
  combine.except(isPageView, byAddress, byBoth, byAccount),
]

/** Middleware for the pages that send a mail. */
export const guardMail = (): MiddlewareFunc[] => [csrf(), combine.except(isPageView, byAddress, byMail)]

/** Middleware for the routes of a provider and of passkeys, for which there is nothing to guess. */
export const guardVisitor = (): MiddlewareFunc[] => [csrf(), byVisitor]

/** Returns the email address of a form or a JSON body; null if there is none. */
async function readEmail(c: Context): Promise<string | null> {
  const email = c.isJSON ? (await c.bind<{ email?: string } | null>())?.email : await c.formValue("email")
  return typeof email === "string" && email !== "" ? email.trim().toLowerCase() : null
}

/**
 * Limits on password guessing, and protection against forms of other sites, for the sign-in routes. The counts are in the
 * process. To run several workers, give each limit a store that they share, such as `store: sqliteStore("data/limits.db")`
 * of fw/store.
 */
import { type Context, csrf, HttpError, type MiddlewareFunc, rateLimit } from "fw"
import { count } from "./env.ts"

/** Attempts to sign in or up per minute from one address. */
const attempts = count("AUTH_LOGIN_LIMIT", 10, [1, 1_000_000])

/** All ways to sign in share one count. */
const byAddress = rateLimit({ name: "sign-in", limit: attempts, window: 60 })

// Many addresses may guess at one account. The limit is higher because its owner has to wait too.
const byAccount = rateLimit({ name: "account", limit: attempts * 10, window: 3600, key: accountOf })

const guard: readonly MiddlewareFunc[] = [csrf(), byAddress, byAccount]
// Each request may send a mail to somebody. Addresses without an account are counted too.
const reset: readonly MiddlewareFunc[] = [
  csrf(),
  byAddress,
  rateLimit({ name: "reset", limit: Math.ceil(attempts / 2), window: 3600, key: accountOf }),
]
const passkey: readonly MiddlewareFunc[] = [
  csrf(),
  // Two requests for each sign-in, and one more for the offer of the login page.
  rateLimit({ name: "passkey", limit: attempts * 3, window: 60 }),
]
const provider = rateLimit({ name: "provider", limit: attempts * 3, window: 60 })

/** Middleware for the routes that take a password. Outermost first: forged requests are not counted. */
export function guardSignIn(): readonly MiddlewareFunc[] {
  return guard
}

/** Middleware for the routes of a provider, which each query the provider and the database. */
export function guardProvider(): MiddlewareFunc {
  return provider
}

/** Middleware for the route that sends a mail to reset a password. */
export function guardReset(): readonly MiddlewareFunc[] {
  return reset
}

/** Middleware for the routes that take a passkey, which cannot be guessed. */
export function guardPasskey(): readonly MiddlewareFunc[] {
  return passkey
}

/** Returns the email address of a form or a JSON body; null if there is none. */
async function accountOf(c: Context): Promise<string | null> {
  try {
    const email = c.isJSON
      ? { ...(await c.bind<{ email?: string } | null>()) }.email
      : await c.formValue("email")
    return typeof email === "string" && email !== "" ? email.trim().toLowerCase() : null
  } catch (error) {
    // The route reports the invalid body.
    if (error instanceof HttpError && [400, 415].includes(error.status)) return null
    throw error
  }
}

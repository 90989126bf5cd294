/** What keeps guessing slow, and forms of other sites out, where one signs in. The counts are this process's own. */
import { type Context, csrf, HttpError, type MiddlewareFunc, rateLimit } from "fw"
import { count } from "./env.ts"

/** Attempts to sign in or up a minute from one address. */
const attempts = count("AUTH_LOGIN_LIMIT", 10, [1, 1_000_000])

/** Every way in counts together: whoever has used up one has used up the others. */
const byAddress = rateLimit({ name: "sign-in", limit: attempts, window: 60 })

// Many addresses may guess at one account. Its owner waits too when they do, so the limit is higher.
const byAccount = rateLimit({ name: "account", limit: attempts * 10, window: 3600, key: accountOf })

const guard: readonly MiddlewareFunc[] = [csrf(), byAddress, byAccount]
const provider = rateLimit({ name: "provider", limit: attempts * 3, window: 60 })

/** For the routes that take a password. Outermost first: forged requests do not count. */
export function guardSignIn(): readonly MiddlewareFunc[] {
  return guard
}

/** For the routes of a provider, each of which asks it and the database something. */
export function guardProvider(): MiddlewareFunc {
  return provider
}

/** The address of a form or of a JSON body; null where there is none. */
async function accountOf(c: Context): Promise<string | null> {
  try {
    const email = c.isJSON
      ? { ...(await c.bind<{ email?: unknown } | null>()) }.email
      : await c.formValue("email")
    return typeof email === "string" && email !== "" ? email.trim().toLowerCase() : null
  } catch (error) {
    // The route says what is wrong with it.
    if (error instanceof HttpError && [400, 415].includes(error.status)) return null
    throw error
  }
}

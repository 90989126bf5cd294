/** What the routes of a provider answer: the cookie of the state, and refusals that a person may get to see. */
import { type Context, HttpError } from "fw"
import { ProviderError } from "./oidc.ts"

const name = "oauth_state"
const attributes = { name, path: "/", httpOnly: true, secure: true, sameSite: "Lax" } as const

export function setState(c: Context, state: string, seconds: number): void {
  c.setCookie({ ...attributes, value: state, maxAge: seconds })
}

export function stateOf(c: Context): string {
  return c.cookie(name)
}

export function clearState(c: Context): void {
  c.setCookie({ ...attributes, value: "", maxAge: -1 })
}

/** An answer that says what went wrong: a browser gets the application's error page, everybody else JSON. */
export function refuse<Status extends 400 | 403 | 404 | 500>(
  c: Context,
  status: Status,
  error: string,
  cause?: unknown,
) {
  if (cause instanceof ProviderError) console.error(`${error}: ${cause.message}`)
  else if (cause !== undefined) console.error(`${error}:`, cause)
  if (c.header("accept").includes("text/html")) throw new HttpError(status, error, { code: error, cause })
  return c.json(status, { error })
}

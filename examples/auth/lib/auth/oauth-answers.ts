/** Responses of the routes of a provider: the state cookie, and errors. */
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

/** Returns an error response: the application's error page for a browser, JSON for other clients. */
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

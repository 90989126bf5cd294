/** Responses of the routes of a provider: the state cookie, and errors. */
import type { Context } from "fw"
import { dropCookie, keepCookie } from "./cookies.ts"
import { isSame } from "./digest.ts"
import { flowLifetime } from "./oauth-flows.ts"
import { ProviderError } from "./oidc.ts"
import { refusal } from "./refusal.ts"

/** It has the state of each sign-in that the browser has begun, the last one first: several tabs may sign in at once. */
const cookie = { name: "oauth_state", path: "/" } as const
const mostTabs = 8

/** Adds the state of a sign-in that begins. */
export function keepState(c: Context, state: string): void {
  keepStates(c, [state, ...statesOf(c)].slice(0, mostTabs))
}

/** Returns true if this browser has begun the sign-in with a state. */
export function hasState(c: Context, state: string): boolean {
  return state !== "" && statesOf(c).some((one) => isSame(one, state))
}

/** Removes the state of a sign-in that ends. */
export function forgetState(c: Context, state: string): void {
  const others = statesOf(c).filter((one) => one !== state)
  if (others.length > 0) keepStates(c, others)
  else dropCookie(c, cookie)
}

function keepStates(c: Context, states: readonly string[]): void {
  keepCookie(c, cookie, states.join("."), flowLifetime)
}

function statesOf(c: Context): string[] {
  return c
    .cookie(cookie.name)
    .split(".")
    .filter((state) => /^[0-9a-f]{32}$/.test(state))
}

/** Returns an error response, and writes the cause to the log. */
export function refuse<Status extends 400 | 403 | 404 | 500>(
  c: Context,
  status: Status,
  error: string,
  cause?: unknown,
) {
  if (cause instanceof ProviderError) console.error(`${error}: ${cause.message}`)
  else if (cause !== undefined) console.error(`${error}:`, cause)
  return refusal(c, status, error, cause)
}

/** Requests of the script for passkeys: their JSON bodies, and the browser that signs in. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server"
import { type Context, HttpError, type StandardSchema } from "fw"
import { keepCookie } from "./cookies.ts"
import { digestOf, randomHex } from "./digest.ts"
import { challengeLifetime } from "./passkey-challenges.ts"

/** The answer of an authenticator, as the script sends it. The rest is checked with its signature. */
export interface PasskeyRequest {
  id: string
  response: { clientDataJSON: string }
}

/** A `PasskeyRequest` for `c.bind()`. */
export const passkeyRequest: StandardSchema<PasskeyRequest> = {
  "~standard": {
    version: 1,
    vendor: "auth",
    validate(value) {
      const { id, response } = { ...(value as Partial<Record<keyof PasskeyRequest, unknown>>) }
      const { clientDataJSON } = { ...(response as { clientDataJSON?: unknown } | undefined) }
      return typeof id === "string" && typeof clientDataJSON === "string"
        ? { value: value as PasskeyRequest }
        : { issues: [{ message: "is a credential in JSON" }] }
    },
  },
}

/** Returns the JSON body; null if it is not valid. */
export async function readPasskey<Response extends AuthenticationResponseJSON | RegistrationResponseJSON>(
  c: Context,
): Promise<Response | null> {
  try {
    return (await c.bind(passkeyRequest)) as unknown as Response
  } catch (error) {
    if (error instanceof HttpError && [400, 415].includes(error.status)) return null
    throw error
  }
}

const cookie = { name: "passkey_browser", path: "/api/auth/passkey" } as const

/** Returns the owner of challenges for a browser that is not signed in. A cookie marks it. */
export function markBrowser(c: Context): string {
  const known = c.cookie(cookie.name)
  const value = /^[0-9a-f]{32}$/.test(known) ? known : randomHex(16)
  keepCookie(c, cookie, value, challengeLifetime)
  return `browser ${digestOf(value)}`
}

/** Returns the owner of the challenges of a browser that was marked. */
export function markedBrowser(c: Context): string {
  return `browser ${digestOf(c.cookie(cookie.name))}`
}

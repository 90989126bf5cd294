/** Reads the JSON bodies that the script for passkeys sends. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server"
import { type Context, HttpError, type StandardSchema } from "fw"

/** The answer of an authenticator, as the script sends it. The other fields are checked with its signature. */
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

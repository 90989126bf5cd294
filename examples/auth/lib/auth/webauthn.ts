/**
 * Passkeys (WebAuthn): creates the options for a browser, and checks its answer. A passkey replaces the password,
 * so the authenticator has to verify its user with a PIN or a fingerprint: `userVerification` is `required`.
 */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server"
import { type Context, FwError } from "fw"
import { readSetting } from "./env.ts"
import type { Identity } from "./identity.ts"
import { signInWays } from "./menu.ts"
import { browserSeconds, keepForBrowser, takeFromBrowser } from "./once.ts"
import { getOrigin } from "./origin.ts"
import { addPasskey, findPasskey, listPasskeys, notePasskeyUse } from "./passkeys.ts"

const userVerification = "required"
const timeout = browserSeconds * 1000

signInWays.push({
  label: (texts) => texts.usePasskey,
  path: "/api/auth/passkey",
  script: "/static/auth/passkeys.js",
})

/**
 * Returns the address for which passkeys are valid, and their domain. `AUTH_RP_ID` may name a higher domain, so that passkeys work on all of its
 * subdomains. Changing it makes all passkeys useless.
 */
function getRelyingParty(c: Context): { readonly origin: string; readonly rpID: string } {
  const origin = getOrigin(c)
  const { hostname } = new URL(origin)
  const rpID = readSetting("AUTH_RP_ID") || hostname
  if (hostname === rpID || hostname.endsWith(`.${rpID}`)) return { origin, rpID }
  throw new FwError(
    "passkeys",
    `AUTH_RP_ID is ${JSON.stringify(rpID)}, which is not the domain of ${origin}`,
    `Write ${hostname} or a domain above it, or leave it out.`,
  )
}

/** Creates the options with which the browser creates a passkey for the signed-in user. */
export async function createRegistrationOptions(c: Context, user: Identity) {
  const { rpID } = getRelyingParty(c)
  const options = await generateRegistrationOptions({
    rpName: rpID,
    rpID,
    // The authenticator stores this id, which says nothing about the person.
    userID: new TextEncoder().encode(user.userID),
    userName: user.email,
    userDisplayName: user.email,
    timeout,
    attestationType: "none",
    excludeCredentials: (await listPasskeys(user.userID)).map(({ id }) => ({ id })),
    // The passkey is discoverable, so signing in needs no email address.
    authenticatorSelection: { residentKey: "required", userVerification },
  })
  await keepForBrowser(c, "new passkey", options.challenge)
  return options
}

/** Creates the options with which the browser signs in with a passkey of any user. */
export async function createAuthenticationOptions(c: Context) {
  const { rpID } = getRelyingParty(c)
  const options = await generateAuthenticationOptions({ rpID, timeout, userVerification })
  await keepForBrowser(c, "challenge", options.challenge)
  return options
}

/** An answer of an authenticator, without the fields that are not checked. */
export type NewPasskeyAnswer = Pick<RegistrationResponseJSON, "id" | "rawId" | "type" | "response">
export type PasskeyAnswer = Pick<AuthenticationResponseJSON, "id" | "rawId" | "type" | "response">

/** Returns what an answer has to match. Its challenge is of this browser and can be used once. */
function createExpectations(c: Context, use: "challenge" | "new passkey") {
  const { origin, rpID } = getRelyingParty(c)
  return {
    expectedOrigin: origin,
    expectedRPID: rpID,
    expectedChallenge: async (challenge: string) => (await takeFromBrowser(c, use, challenge)) !== undefined,
    requireUserVerification: true,
  }
}

/** Checks a new passkey and stores it. Returns false if it is not accepted. */
export async function register(
  c: Context,
  answer: NewPasskeyAnswer,
  user: Identity,
  name: string,
): Promise<boolean> {
  const response = { ...answer, clientExtensionResults: {} }
  const expectations = createExpectations(c, "new passkey")
  // The library throws an error for an answer that it refuses.
  const result = await verifyRegistrationResponse({ response, ...expectations }).catch(() => null)
  return result?.verified === true && addPasskey(user.userID, name, result.registrationInfo)
}

/** Checks the signature of a passkey. Returns the ID of its user; null if it is not accepted. */
export async function authenticate(c: Context, answer: PasskeyAnswer): Promise<string | null> {
  const response = { ...answer, clientExtensionResults: {} }
  const expectations = createExpectations(c, "challenge")
  const passkey = await findPasskey(response.id)
  if (!passkey) return null
  const { userID, credential } = passkey
  // The authenticator names the user of a discoverable passkey (WebAuthn §7.2, step 6).
  if (response.response.userHandle !== Buffer.from(userID).toString("base64url")) return null
  const result = await verifyAuthenticationResponse({ response, credential, ...expectations }).catch(
    () => null,
  )
  if (!result?.verified) return null
  const { newCounter, credentialBackedUp } = result.authenticationInfo
  await notePasskeyUse(credential.id, newCounter, credentialBackedUp)
  return userID
}

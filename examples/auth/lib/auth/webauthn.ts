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
import { checkOrigin, getOrigin } from "./origin.ts"
import { addPasskey, findPasskey, listPasskeys, notePasskeyUse } from "./passkeys.ts"

/** The address for which passkeys are valid, and their domain. */
interface RelyingParty {
  readonly origin: string
  readonly rpID: string
}

const userVerification = "required"
const timeout = browserSeconds * 1000

checkOrigin("signing in with passkeys")
signInWays.push({
  label: (texts) => texts.usePasskey,
  path: "/api/auth/passkey",
  script: "/static/auth/passkeys.js",
})

/**
 * Returns the address and the domain. `AUTH_RP_ID` may name a higher domain, so that passkeys work on all of its
 * subdomains. Changing it makes all passkeys useless.
 */
function getRelyingParty(c: Context): RelyingParty {
  const origin = getOrigin(c, "signing in with passkeys")
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

/** Checks a new passkey and stores it. Returns false if it is not accepted. */
export async function register(
  c: Context,
  response: RegistrationResponseJSON,
  user: Identity,
  name: string,
): Promise<boolean> {
  const { origin, rpID } = getRelyingParty(c)
  const expectedChallenge = await takeChallenge(c, "new passkey", response)
  if (expectedChallenge === null) return false
  const result = await runCheck(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    }),
  )
  if (!result?.verified) return false
  const { credential, credentialBackedUp } = result.registrationInfo
  const { id, publicKey, counter } = credential
  return addPasskey(
    {
      id,
      userID: user.userID,
      publicKey: Buffer.from(publicKey).toString("base64url"),
      counter,
      // A client can send any text, so only short words are stored.
      transports: (credential.transports ?? []).filter((way) => /^[a-z-]{1,20}$/.test(way)).slice(0, 10),
      isBackedUp: credentialBackedUp,
    },
    name,
  )
}

/** Checks the signature of a passkey. Returns the ID of its user; null if it is not accepted. */
export async function authenticate(c: Context, response: AuthenticationResponseJSON): Promise<string | null> {
  const { origin, rpID } = getRelyingParty(c)
  const expectedChallenge = await takeChallenge(c, "challenge", response)
  const passkey = await findPasskey(response.id)
  if (expectedChallenge === null || !passkey) return null
  const { id, userID, publicKey, counter, transports } = passkey
  // The authenticator names the user of a discoverable passkey (WebAuthn §7.2, step 6).
  if (response.response.userHandle !== Buffer.from(userID).toString("base64url")) return null
  const result = await runCheck(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id,
        publicKey: Buffer.from(publicKey, "base64url"),
        counter,
        transports: [...transports],
      },
    }),
  )
  if (!result?.verified) return null
  const { newCounter, credentialBackedUp } = result.authenticationInfo
  await notePasskeyUse(id, newCounter, credentialBackedUp)
  return userID
}

/**
 * Returns the challenge that a response answers, once, or null if it does not belong to this browser. Afterwards no
 * other request can use it, whatever the outcome of this one.
 */
async function takeChallenge(
  c: Context,
  use: "challenge" | "new passkey",
  { response }: RegistrationResponseJSON | AuthenticationResponseJSON,
): Promise<string | null> {
  let challenge: unknown
  try {
    const data = Buffer.from(response.clientDataJSON, "base64url").toString("utf8")
    challenge = (JSON.parse(data) as { challenge?: unknown } | null)?.challenge
  } catch {
    return null
  }
  return typeof challenge === "string" && (await takeFromBrowser(c, use, challenge)) ? challenge : null
}

/** Returns the result of a check, or null for the errors with which the library refuses a response. */
async function runCheck<Result>(check: () => Promise<Result>): Promise<Result | null> {
  try {
    return await check()
  } catch {
    return null
  }
}

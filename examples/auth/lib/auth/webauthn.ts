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
import { setting } from "./env.ts"
import type { Identity } from "./identity.ts"
import { signInWays } from "./menu.ts"
import { browserSeconds, keepForBrowser, takeFromBrowser } from "./once.ts"
import { checkOrigin, originOf } from "./origin.ts"
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
function relyingParty(c: Context): RelyingParty {
  const origin = originOf(c, "signing in with passkeys")
  const { hostname } = new URL(origin)
  const rpID = setting("AUTH_RP_ID") || hostname
  if (hostname === rpID || hostname.endsWith(`.${rpID}`)) return { origin, rpID }
  throw new FwError(
    "passkeys",
    `AUTH_RP_ID is ${JSON.stringify(rpID)}, which is not the domain of ${origin}`,
    `Write ${hostname} or a domain above it, or leave it out.`,
  )
}

/** Returns the options to create a passkey for the signed-in user. */
export async function creationOptions(c: Context, user: Identity) {
  const { rpID } = relyingParty(c)
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

/** Returns the options to sign in as any user. */
export async function requestOptions(c: Context) {
  const { rpID } = relyingParty(c)
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
  const { origin, rpID } = relyingParty(c)
  const expectedChallenge = await challengeOf(c, "new passkey", response)
  if (expectedChallenge === null) return false
  const made = await accepted(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    }),
  )
  if (!made?.verified) return false
  const { credential, credentialBackedUp } = made.registrationInfo
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
  const { origin, rpID } = relyingParty(c)
  const expectedChallenge = await challengeOf(c, "challenge", response)
  const passkey = await findPasskey(response.id)
  if (expectedChallenge === null || !passkey) return null
  const { id, userID, publicKey, counter, transports } = passkey
  // The authenticator names the user of a discoverable passkey (WebAuthn §7.2, step 6).
  if (response.response.userHandle !== Buffer.from(userID).toString("base64url")) return null
  const checked = await accepted(() =>
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
  if (!checked?.verified) return null
  const { newCounter, credentialBackedUp } = checked.authenticationInfo
  await notePasskeyUse(id, newCounter, credentialBackedUp)
  return userID
}

/**
 * Returns the challenge that a response answers, once, or null if it does not belong to this browser. Afterwards no
 * other request can use it, whatever the outcome of this one.
 */
async function challengeOf(
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
async function accepted<Result>(check: () => Promise<Result>): Promise<Result | null> {
  try {
    return await check()
  } catch {
    return null
  }
}

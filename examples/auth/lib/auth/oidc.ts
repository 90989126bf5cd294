/**
 * The OpenID Connect code flow: returns the URL to which the browser is sent, and exchanges the code for the user.
 */
import { createHash, randomBytes } from "node:crypto"
import { type Context, HttpError } from "fw"
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from "jose"
import type { Provider } from "./google.ts"
import { keepForBrowser, takeFromBrowser } from "./once.ts"
import { randomHex } from "./secrets.ts"

/** A sign-in that has started. */
export interface Flow {
  readonly state: string
  /** The secret of PKCE: a stolen code is useless without it (RFC 7636). */
  readonly verifier: string
  readonly nonce: string
}

/**
 * Starts a sign-in of this browser. The provider sends the state back, and the other secrets never leave the
 * server.
 */
export async function startFlow(c: Context): Promise<Flow> {
  const flow = { verifier: randomBytes(32).toString("base64url"), nonce: randomHex(16) }
  const state = randomHex(16)
  await keepForBrowser(c, "state", state, flow)
  return { state, ...flow }
}

/**
 * Returns the sign-in of a state, once. Returns null if this browser has not started it, or if it was used or has
 * expired.
 */
export async function takeFlow(c: Context, state: string): Promise<Flow | null> {
  const { verifier, nonce } = { ...(await takeFromBrowser(c, "state", state)) }
  return verifier && nonce ? { state, verifier, nonce } : null
}

/** A user as the provider describes it. */
export interface ProviderUser {
  /**
   * The provider's identifier for the user. It never changes, whereas an email address may pass to another
   * person.
   */
  readonly id: string
  /** In lower case. */
  readonly email: string
  /** True if the provider has verified that the address belongs to the user. */
  readonly emailVerified: boolean
  readonly name: string
  readonly picture: string
}

/** An invalid response of the provider. The message contains no secret. */
export class ProviderError extends Error {}

/** Returns the error of a sign-in that has failed, and writes the reason to the log. */
export function createSignInError(cause: unknown): HttpError {
  const error = "signing in with Google failed"
  if (cause instanceof ProviderError) console.error(`${error}: ${cause.message}`)
  else console.error(`${error}:`, cause)
  return new HttpError(500, error, { cause })
}

/** Timeout of a request to the provider, in milliseconds. */
const timeoutMs = 10_000
/** Seconds by which the clock of the provider may differ (RFC 7519 §4.1.4 and §4.1.5). */
const clockTolerance = 120

/** The fields of the provider's metadata that are used (OpenID Connect Discovery §3). */
interface Endpoints {
  /** The issuer as the provider spells it, also in its tokens. */
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly userinfo_endpoint: string
  readonly jwks_uri: string
  /** The ways to send the secret. Without it, `client_secret_basic` is the only one. */
  readonly token_endpoint_auth_methods_supported?: readonly string[]
}

type Keys = ReturnType<typeof createRemoteJWKSet>
const cache = new Map<string, Promise<{ readonly endpoints: Endpoints; readonly keys: Keys }>>()

/**
 * Returns the metadata of a provider, which is requested once. A failed request is repeated on the next call.
 */
function getMetadata({ issuer }: Provider) {
  const cached = cache.get(issuer)
  if (cached) return cached
  const metadata = discover(issuer)
  cache.set(issuer, metadata)
  metadata.catch(() => cache.delete(issuer))
  return metadata
}

async function discover(issuer: string) {
  const metadata = await requestJSON(
    "its description",
    `${removeSlash(issuer)}/.well-known/openid-configuration`,
  )
  // If the metadata belonged to another issuer, codes would be sent to the endpoints of that issuer (RFC 8414
  // §3.3).
  if (typeof metadata.issuer !== "string" || removeSlash(metadata.issuer) !== removeSlash(issuer))
    throw new ProviderError("its description is another issuer's")
  for (const name of ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"]) {
    if (typeof metadata[name] !== "string") throw new ProviderError(`its description has no ${name}`)
  }
  const endpoints = metadata as unknown as Endpoints
  return {
    endpoints,
    keys: createRemoteJWKSet(new URL(endpoints.jwks_uri), { timeoutDuration: timeoutMs }),
  }
}

/** Returns true for the issuer of a provider, with or without a slash at its end. */
export function isIssuer({ issuer }: Provider, text: string): boolean {
  return removeSlash(text) === removeSlash(issuer)
}

function removeSlash(issuer: string): string {
  return issuer.replace(/\/$/, "")
}

/** Requests JSON from the provider. @throws ProviderError that names the request that failed. */
async function requestJSON(
  purpose: string,
  url: string,
  init: RequestInit = {},
): Promise<Record<string, unknown>> {
  let status = ""
  try {
    const response = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(timeoutMs) })
    status = ` (${response.status})`
    const body: unknown = await response.json()
    if (typeof body === "object" && body !== null && response.ok) return body as Record<string, unknown>
    const { error } = { ...(body as { error?: unknown }) }
    if (typeof error === "string" && /^\w{1,60}$/.test(error)) status = ` (${response.status}, ${error})`
  } catch (cause) {
    throw new ProviderError(`it did not give ${purpose}${status}`, { cause })
  }
  throw new ProviderError(`it did not give ${purpose}${status}`)
}

/** Returns the URL to which the browser is sent. */
export async function getAuthorizationURL(provider: Provider, flow: Flow): Promise<string> {
  const { endpoints } = await getMetadata(provider)
  const url = new URL(endpoints.authorization_endpoint)
  const query = {
    response_type: "code",
    client_id: provider.clientID,
    redirect_uri: provider.redirectURL,
    // Without `openid`, a strict provider returns nothing about the user.
    scope: "openid email profile",
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: createHash("sha256").update(flow.verifier).digest("base64url"),
    code_challenge_method: "S256",
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/**
 * Exchanges a code for tokens, and the tokens for the user. @throws ProviderError if any of them is invalid.
 */
export async function redeem(provider: Provider, code: string, flow: Flow): Promise<ProviderUser> {
  const { endpoints, keys } = await getMetadata(provider)
  const { headers, fields } = formatCredentials(provider, endpoints)
  const tokens = await requestJSON("tokens for the code", endpoints.token_endpoint, {
    method: "POST",
    headers,
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: provider.redirectURL,
      code_verifier: flow.verifier,
      ...fields,
    }),
  })
  const { id_token, access_token } = tokens
  if (typeof id_token !== "string" || typeof access_token !== "string") {
    throw new ProviderError("it gave no ID token, or no access token")
  }
  const claims = await verifyIDToken(provider, id_token, { endpoints, keys })
  // The nonce binds the token to this browser's flow (OpenID Connect Core §3.1.3.7).
  if (claims.nonce !== flow.nonce) throw new ProviderError("its ID token has another nonce")
  const user = await requestJSON("the user's record", endpoints.userinfo_endpoint, {
    headers: { authorization: `Bearer ${access_token}` },
  })
  // See OpenID Connect Core §5.3.2: otherwise the record may belong to another user.
  if (user.sub !== claims.sub)
    throw new ProviderError("its ID token and its user record are of different users")
  return readUser(user)
}

/** Returns the secret in a form that the provider accepts (OpenID Connect Core §9). */
function formatCredentials(
  { clientID, clientSecret }: Provider,
  { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] }: Endpoints,
): { headers: Record<string, string>; fields: Record<string, string> } {
  if (methods.includes("client_secret_post") || !methods.includes("client_secret_basic"))
    return { headers: {}, fields: { client_id: clientID, client_secret: clientSecret } }
  // Both are first encoded as in a form (RFC 6749 §2.3.1).
  const [id, secret] = [clientID, clientSecret].map((text) =>
    String(new URLSearchParams({ "": text })).slice(1),
  )
  const basic = Buffer.from(`${id}:${secret}`).toString("base64")
  return { headers: { authorization: `Basic ${basic}` }, fields: {} }
}

async function verifyIDToken(
  provider: Provider,
  token: string,
  { endpoints: { issuer }, keys }: { readonly endpoints: Endpoints; readonly keys: Keys },
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      // Google has omitted the scheme in the past.
      issuer: [issuer, issuer.replace(/^https:\/\//, "")],
      clockTolerance,
      audience: provider.clientID,
      algorithms: ["RS256", "PS256", "ES256", "EdDSA"],
      requiredClaims: ["sub", "exp", "iat"],
    })
    const { azp } = payload
    if (azp === undefined || azp === provider.clientID) return payload
  } catch (cause) {
    throw new ProviderError("its ID token is not valid", { cause })
  }
  throw new ProviderError("its ID token was made for another application")
}

function readUser({ sub, email, email_verified, name, picture }: Record<string, unknown>): ProviderUser {
  const text = (value: unknown) => (typeof value === "string" ? value : "")
  if (text(sub) === "" || text(email) === "")
    throw new ProviderError("its user record has no sub, or no email")
  return {
    id: text(sub),
    email: text(email).trim().toLowerCase(),
    emailVerified: email_verified === true || email_verified === "true",
    name: text(name),
    picture: text(picture),
  }
}

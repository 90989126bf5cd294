/**
 * Tests of providers that differ from Google in the issuer, the clock, or the way in which they accept the secret.
 */
import "./support/env.ts"

import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { getAuthorizationURL, isIssuer, ProviderError, redeem } from "../lib/auth/oidc.ts"

const test = suite("oauth-quirks")

const clientID = "the client: a+b"
const clientSecret = "s3cret/=%& ü"
const callback = "http://localhost:3000/api/auth/google/callback"
const flow = { state: "0".repeat(32), verifier: "v".repeat(43), nonce: "n".repeat(32) }

/** The ways in which a provider differs. */
interface Quirks {
  /** The text after the host in its issuer, and in the setting. Default: none. */
  readonly issuer?: string
  readonly setting?: string
  /** The issuer in its ID tokens. Default: the issuer in its metadata. */
  readonly iss?: (issuer: string) => string
  /** The ways to send the secret that it lists; null to leave the list out. */
  readonly methods?: readonly string[] | null
  /** The ways to send the secret that it accepts. */
  readonly accepts?: readonly ("basic" | "post")[]
  /** The seconds that its clock is ahead. */
  readonly ahead?: number
  /** The seconds for which its ID tokens are valid. */
  readonly lasts?: number
}

const { publicKey, privateKey } = await generateKeyPair("ES256")
const jwk = { ...(await exportJWK(publicKey)), alg: "ES256", kid: "one" }

/** Returns the ways in which a request contains the right secret. */
async function findSecretWays(incoming: IncomingMessage): Promise<string[]> {
  const fields = new URLSearchParams(await text(incoming))
  const [scheme, basic = ""] = (incoming.headers.authorization ?? "").split(" ")
  const [id = "", secret = ""] = Buffer.from(basic, "base64").toString().split(":")
  const decode = (part: string) => new URLSearchParams(`x=${part}`).get("x")
  assert.is(fields.get("code_verifier"), flow.verifier)
  return [
    ...(scheme === "Basic" && decode(id) === clientID && decode(secret) === clientSecret ? ["basic"] : []),
    ...(fields.get("client_id") === clientID && fields.get("client_secret") === clientSecret ? ["post"] : []),
  ]
}

/** Signs in with such a provider. */
async function signIn(quirks: Quirks) {
  const {
    issuer: path = "",
    setting = path,
    methods,
    accepts = ["basic", "post"],
    ahead = 0,
    lasts = 300,
  } = quirks
  const server = createServer(async (incoming, outgoing) => {
    const host = `http://${incoming.headers.host}`
    const issuer = host + path
    const json = (status: number, data: object) => {
      outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(data))
    }
    const now = Math.floor(Date.now() / 1000) + ahead
    if (incoming.url === `${path.replace(/\/$/, "")}/.well-known/openid-configuration`) {
      const listed = methods ? { token_endpoint_auth_methods_supported: methods } : {}
      json(200, {
        ...{ issuer, authorization_endpoint: `${host}/authorize?tenant=7`, token_endpoint: `${host}/token` },
        ...{ userinfo_endpoint: `${host}/me`, jwks_uri: `${host}/keys`, ...listed },
      })
    } else if (incoming.url === "/token") {
      const ways = await findSecretWays(incoming)
      // A client must not send the secret twice (RFC 6749 §2.3).
      if (ways.length !== 1 || !accepts.includes(ways[0] as "basic"))
        return json(401, { error: "invalid_client" })
      const token = new SignJWT({ nonce: flow.nonce, nbf: now })
        .setProtectedHeader({ alg: "ES256", kid: "one" })
        .setIssuer(quirks.iss?.(issuer) ?? issuer)
        .setAudience(clientID)
        .setSubject("7")
        .setIssuedAt(now)
        .setExpirationTime(now + lasts)
      json(200, { access_token: "x", id_token: await token.sign(privateKey), token_type: "bearer" })
    } else if (incoming.url === "/keys") json(200, { keys: [jwk] })
    else json(200, { sub: "7", email: "Ada@Example.com", email_verified: "true" })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const provider = { name: "x", issuer: origin + setting, clientID, clientSecret, redirectURL: callback }
    const to = new URL(await getAuthorizationURL(provider, flow))
    assert.equal([to.searchParams.get("tenant"), to.searchParams.get("client_id")], ["7", clientID])
    assert.ok(isIssuer(provider, origin + path))
    assert.not.ok(isIssuer(provider, `${origin}/elsewhere`))
    return (await redeem(provider, "code", flow)).email
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const fine: Readonly<Record<string, Quirks>> = {
  "the issuer has no slash, the setting has one": { setting: "/" },
  "the issuer has a slash": { issuer: "/" },
  "the issuer has a slash, the setting has none": { issuer: "/", setting: "" },
  "the issuer has a path": { issuer: "/realms/shop" },
  "the issuer has a path and a slash": { issuer: "/application/o/shop/" },
  "the issuer has a path and a slash, the setting has none": { issuer: "/o/shop/", setting: "/o/shop" },
  "it takes the secret in the header": { methods: ["client_secret_basic"], accepts: ["basic"] },
  "it does not say how, which means the header": { methods: null, accepts: ["basic"] },
  "it takes the secret in the form": { methods: ["client_secret_post"], accepts: ["post"] },
  "it takes either": { methods: ["client_secret_basic", "client_secret_post"] },
  "it takes the header, or a key": {
    methods: ["private_key_jwt", "client_secret_basic"],
    accepts: ["basic"],
  },
  "its clock is three seconds ahead": { ahead: 3 },
  "its clock is a minute ahead": { ahead: 60 },
  "its clock is a minute behind": { ahead: -60, lasts: 30 },
}
for (const [what, quirks] of Object.entries(fine)) {
  test(`a sign-in works: ${what}`, async () => {
    assert.is(await signIn(quirks), "ada@example.com")
  })
}

const refused: Readonly<Record<string, readonly [quirks: Quirks, message: RegExp]>> = {
  "the description is another issuer's": [{ issuer: "/a", setting: "/b" }, /description/],
  "the token is another issuer's": [{ iss: () => "https://elsewhere.example" }, /ID token is not valid/],
  "the token's issuer has another path": [
    { issuer: "/a/", iss: (issuer) => `${issuer}b` },
    /ID token is not valid/,
  ],
  "the token is valid in an hour": [{ ahead: 3600 }, /ID token is not valid/],
  "the token has ended": [{ ahead: -3600 }, /ID token is not valid/],
  "the secret is refused": [{ accepts: [] }, /401, invalid_client/],
}
for (const [what, [quirks, message]] of Object.entries(refused)) {
  test(`a sign-in is refused: ${what}`, async () => {
    const error = await signIn(quirks).catch((error: unknown) => error)
    assert.instance(error, ProviderError)
    assert.match(String(error), message)
    assert.not.match(String(error), clientSecret)
  })
}

test.run()

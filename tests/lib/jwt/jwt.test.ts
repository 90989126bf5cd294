/**
 * Tests of which tokens `jwt()` accepts. The tokens are signed by jose, by other libraries, or by hand if no
 * library would sign them.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { exportJWK, generateKeyPair, importJWK, type JWTPayload, SignJWT } from "jose"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, FwError, type JWK, type JWTAlgorithm, type JWTClaims, type JWTOptions, jwt } from "../../../lib/index.ts"

process.env.FW_LOG_LEVEL = "off"

/** The time of every token and every check, in milliseconds since 1970. */
const now = 1_700_000_000_000
const seconds = now / 1000
const secret = "a secret of sixty-four bytes, which is what HS512 wants at least"
const secretBytes = new TextEncoder().encode(secret)

const symmetric: readonly JWTAlgorithm[] = ["HS256", "HS384", "HS512"]
const asymmetric: readonly JWTAlgorithm[] = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
]

interface Pair {
  readonly privateKey: CryptoKey
  readonly jwk: JWK
}
type CryptoKey = Awaited<ReturnType<typeof generateKeyPair>>["privateKey"]
const pairs = new Map<string, Promise<Pair>>()

/** Returns a key pair. Each name has its own pair, which is generated once. */
function createPair(algorithm: JWTAlgorithm, name = ""): Promise<Pair> {
  const made = pairs.get(algorithm + name) ?? makePair(algorithm, name)
  pairs.set(algorithm + name, made)
  return made
}

async function makePair(algorithm: JWTAlgorithm, name: string): Promise<Pair> {
  if (!/^[RP]S/.test(algorithm)) {
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
    return { privateKey, jwk: { ...(await exportJWK(publicKey)), alg: algorithm } as JWK }
  }
  // Generating RSA keys takes long, so one pair is used for all algorithms.
  const { privateKey, publicKey } = await createRSAPair(name)
  const imported = (await importJWK(await exportJWK(privateKey), algorithm)) as CryptoKey
  return { privateKey: imported, jwk: { ...(await exportJWK(publicKey)), alg: algorithm } as JWK }
}

const rsa = new Map<string, ReturnType<typeof generateKeyPair>>()
function createRSAPair(name: string): ReturnType<typeof generateKeyPair> {
  const made = rsa.get(name) ?? generateKeyPair("RS256", { extractable: true })
  rsa.set(name, made)
  return made
}

function sign(
  claims: JWTPayload,
  key: CryptoKey | Uint8Array = secretBytes,
  header: Record<string, unknown> & { alg: string } = { alg: "HS256" },
): Promise<string> {
  return new SignJWT(claims).setProtectedHeader(header).sign(key)
}

const base64 = (data: unknown) =>
  Buffer.from(typeof data === "string" ? data : JSON.stringify(data)).toString("base64url")

/** Returns a token that is signed with HMAC by hand. */
async function byHand(header: unknown, payload: unknown, key = secretBytes, end = ""): Promise<string> {
  const hmac = { name: "HMAC", hash: "SHA-256" }
  const imported = await crypto.subtle.importKey("raw", key, hmac, false, ["sign"])
  const head = `${base64(header)}.${base64(payload)}${end}`
  const signature = await crypto.subtle.sign("HMAC", imported, Buffer.from(head))
  return `${head}.${Buffer.from(signature).toString("base64url")}`
}

function guarded(options: Partial<JWTOptions>): App {
  const app = new App({ logger: false })
  app.use(jwt({ now: () => now, ...options } as JWTOptions))
  app.get("/", (c) => c.json(200, { claims: c.get<JWTClaims>("jwt"), user: c.getString("user_id") }))
  return app
}

function ask(app: App, token: string, scheme = "Bearer "): Promise<Response> {
  return app.request("/", { headers: token === "" ? {} : { authorization: `${scheme}${token}` } })
}

const alive = { sub: "ada", exp: seconds + 60 }

for (const algorithm of symmetric) {
  test(`${algorithm}: a token signed with the secret is accepted, and one signed with another secret is refused`, async () => {
    const app = guarded({ secret, algorithms: [algorithm] })
    const answer = await ask(app, await sign(alive, secretBytes, { alg: algorithm }))
    assert.equal(await answer.json(), { claims: alive, user: "ada" })
    const other = await sign(alive, new Uint8Array(64).fill(1), { alg: algorithm })
    assert.is((await ask(app, other)).status, 401)
  })
}

for (const algorithm of asymmetric) {
  test(`${algorithm}: a token signed with the key is accepted, and one signed with another key is refused`, async () => {
    const { privateKey, jwk } = await createPair(algorithm)
    const app = guarded({ keys: jwk })
    assert.is((await ask(app, await sign(alive, privateKey, { alg: algorithm }))).status, 200)
    const { privateKey: other } = await createPair(algorithm, "other")
    assert.is((await ask(app, await sign(alive, other, { alg: algorithm }))).status, 401)
  })
}

/** The signed tokens of RFC 7515, Appendix A.1 to A.3, which all have the same claims. */
const joe = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
const vectors: ReadonlyArray<readonly [head: string, signature: string, key: JWK]> = [
  [
    "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9",
    "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    {
      kty: "oct",
      alg: "HS256",
      k: "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow",
    },
  ],
  [
    "eyJhbGciOiJSUzI1NiJ9",
    "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw",
    {
      kty: "RSA",
      alg: "RS256",
      n: "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ",
      e: "AQAB",
    },
  ],
  [
    "eyJhbGciOiJFUzI1NiJ9",
    "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
    {
      kty: "EC",
      crv: "P-256",
      x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
      y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    },
  ],
]
for (const [index, [head, signature, keys]] of vectors.entries()) {
  test(`RFC 7515, A.${index + 1}: the token is accepted, and refused after a change of its signature`, async () => {
    const app = guarded({ keys, issuer: "joe", now: () => 1_300_819_300_000 })
    const answer = await ask(app, `${head}.${joe}.${signature}`)
    const claims = { iss: "joe", exp: 1_300_819_380, "http://example.com/is_root": true }
    assert.equal(await answer.json(), { claims, user: "" })
    const changed = signature.startsWith("A") ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
    assert.is((await ask(app, `${head}.${joe}.${changed}`)).status, 401)
  })
}

test("a key that cannot be imported accepts no token, and the answer does not show the key", async () => {
  const { privateKey } = await createPair("ES256")
  const keys = { kty: "EC", crv: "P-256", x: "hunter2", y: "hunter2" }
  const answer = await ask(guarded({ keys }), await sign(alive, privateKey, { alg: "ES256" }))
  assert.equal([answer.status, await answer.text()], [401, '{"error":"unauthorized","message":"invalid token"}'])
})

test("changing the bytes of a secret after the call has no effect", async () => {
  const bytes = secretBytes.slice()
  const app = guarded({ secret: bytes })
  bytes.fill(0)
  assert.is((await ask(app, await sign(alive))).status, 200)
})

test("a private key that is passed by mistake works like its public key", async () => {
  const { privateKey } = await createPair("ES256")
  const jwk = { ...(await exportJWK(privateKey)), alg: "ES256" } as JWK
  assert.ok("d" in jwk)
  assert.is((await ask(guarded({ keys: jwk }), await sign(alive, privateKey, { alg: "ES256" }))).status, 200)
})

type ClaimRow = readonly [what: string, claims: JWTPayload, comesIn: boolean, options?: Partial<JWTOptions>]
const claims: readonly ClaimRow[] = [
  ["no exp", { sub: "ada" }, false],
  ["no exp, where that is allowed", { sub: "ada" }, true, { requireExp: false }],
  ["an exp in the past", { exp: seconds - 60 }, false],
  ["an exp in the past by less than the tolerance", { exp: seconds - 4 }, true],
  ["an exp in the past by the whole tolerance", { exp: seconds - 5 }, false],
  ["an exp in the past, without tolerance", { exp: seconds - 1 }, false, { clockTolerance: 0 }],
  ["an exp of now, without tolerance", { exp: seconds }, false, { clockTolerance: 0 }],
  ["an nbf in the future", { ...alive, nbf: seconds + 60 }, false],
  ["an nbf in the future within the tolerance", { ...alive, nbf: seconds + 5 }, true],
  ["an iat in the future", { ...alive, iat: seconds + 60 }, false],
  ["a time with a fraction", { exp: seconds + 0.5 }, true],
  ["an exp of text", { exp: `${seconds + 60}` as never }, false],
  ["an exp of null", { exp: null as never }, false],
  ["an exp beyond safe integers", { exp: 1e300 }, false],
  ["an nbf of text", { ...alive, nbf: "0" as never }, false],
  ["a sub that is not a string", { ...alive, sub: 7 as never }, false],
  ["a list of lists of audiences", { ...alive, aud: [["api"]] as never }, false],
  ["an audience of null", { ...alive, aud: null as never }, false],
  ["the issuer", { ...alive, iss: "https://a.example" }, true, { issuer: "https://a.example" }],
  ["one of the issuers", { ...alive, iss: "b" }, true, { issuer: ["a", "b"] }],
  ["another issuer", { ...alive, iss: "https://a.example/" }, false, { issuer: "https://a.example" }],
  ["no issuer", alive, false, { issuer: "a" }],
  ["a list of issuers", { ...alive, iss: ["a"] as never }, false, { issuer: "a" }],
  ["the audience", { ...alive, aud: "api" }, true, { audience: "api" }],
  ["the audience in a list", { ...alive, aud: ["x", "api"] }, true, { audience: ["api", "y"] }],
  ["another audience", { ...alive, aud: "ap" }, false, { audience: "api" }],
  ["no audience", alive, false, { audience: "api" }],
  ["an empty list of audiences", { ...alive, aud: [] }, false, { audience: "api" }],
  ["an audience that is not a string", { ...alive, aud: [7] as never }, false, { audience: "api" }],
  ["a token that verify() accepts", alive, true, { verify: ({ sub }) => sub === "ada" }],
  ["a token that verify() rejects", alive, false, { verify: () => false }],
  ["a verify() that returns a text", alive, false, { verify: (() => "yes") as never }],
]
for (const [what, payload, comesIn, options] of claims) {
  test(`claims: ${what} is ${comesIn ? "accepted" : "refused"}`, async () => {
    const answer = await ask(guarded({ secret, ...options }), await sign(payload))
    assert.is(answer.status, comesIn ? 200 : 401)
  })
}

test("only a client with an expired token gets the reason of the refusal", async () => {
  const app = guarded({ secret, realm: "API" })
  const over = await ask(app, await sign({ exp: seconds - 60 }))
  assert.equal(await over.json(), { error: "unauthorized", message: "the token has expired" })
  const wrong = await ask(app, await sign(alive, new Uint8Array(64)))
  assert.is(wrong.headers.get("www-authenticate"), 'Bearer realm="API", error="invalid_token"')
  assert.equal(await wrong.json(), { error: "unauthorized", message: "invalid token" })
  const none = await ask(app, "")
  assert.is(none.headers.get("www-authenticate"), 'Bearer realm="API"')
  const basic = await ask(app, "YTpi", "Basic ")
  assert.is(basic.headers.get("www-authenticate"), 'Bearer realm="API", error="invalid_request"')
})

/** Tokens of attackers, for an app that trusts a secret. */
const attacks: ReadonlyArray<readonly [what: string, token: () => string | Promise<string>]> = [
  ["alg none", () => `${base64({ alg: "none" })}.${base64(alive)}.`],
  ["alg None", () => `${base64({ alg: "None" })}.${base64(alive)}.`],
  ["alg none with the signature of HS256", () => byHand({ alg: "none" }, alive)],
  ["no alg", () => byHand({ typ: "JWT" }, alive)],
  ["an alg that every object has", () => byHand({ alg: "constructor" }, alive)],
  ["an alg in a list", () => byHand({ alg: ["HS256"] }, alive)],
  ["an alg that is not in the list", () => sign(alive, secretBytes, { alg: "HS512" })],
  ["a crit header", () => byHand({ alg: "HS256", crit: ["exp"] }, alive)],
  ["b64 false", () => byHand({ alg: "HS256", b64: false, crit: ["b64"] }, alive)],
  ["a kid that is not a string", () => byHand({ alg: "HS256", kid: { $ne: null } }, alive)],
  ["a header that is a list", () => byHand([{ alg: "HS256" }], alive)],
  ["a payload that is a list", () => byHand({ alg: "HS256" }, [alive])],
  ["a payload that is not JSON", () => byHand({ alg: "HS256" }, "{")],
  [
    "a payload that poisons prototypes",
    () => byHand({ alg: "HS256" }, `{"exp":${alive.exp},"__proto__":{"admin":true}}`),
  ],
  ["an empty signature", async () => `${(await sign(alive)).split(".").slice(0, 2).join(".")}.`],
  ["two parts", async () => (await sign(alive)).split(".").slice(0, 2).join(".")],
  ["four parts", async () => `${await sign(alive)}.x`],
  ["five parts, as of an encrypted token", () => "a.b.c.d.e"],
  ["a header with __proto__", () => byHand(`{"alg":"HS256","__proto__":{"kid":"1"}}`, alive)],
  ["a typ that is not a string", () => byHand({ alg: "HS256", typ: 7 }, alive)],
  ["b64 true in crit", () => byHand({ alg: "HS256", b64: true, crit: ["b64"] }, alive)],
  ["base64 padding", async () => `${await sign(alive)}=`],
  ["plain base64", async () => (await sign({ ...alive, x: "~~~???" })).replaceAll("_", "/").replaceAll("-", "+")],
  ["another payload", async () => (await sign(alive)).replace(/\.[^.]+\./, `.${base64({ ...alive, sub: "eve" })}.`)],
  ["a million characters", () => "a".repeat(1_000_000)],
  ["a long payload, validly signed", () => byHand({ alg: "HS256" }, { ...alive, pad: "a".repeat(9000) })],
  ["another last character that decodes to the same signature", async () => spareBit(await sign(alive))],
  ["spaces before the signature", async () => (await sign(alive)).replace(/\.(?=[^.]*$)/, ".    ")],
  ["an invalid character in the signature", async () => `${await sign(alive)}?`],
  ["half a signature", async () => (await sign(alive)).slice(0, -22)],
  ["a signature twice", async () => (await sign(alive)) + (await sign(alive)).split(".")[2]],
  ["signed invalid characters", () => byHand({ alg: "HS256" }, alive, secretBytes, "####")],
  ["signed padding", () => byHand({ alg: "HS256" }, alive, secretBytes, "=")],
  ["an empty payload, validly signed", () => byHand({ alg: "HS256" }, "")],
  ["the JSON serialization", async () => JSON.stringify({ payload: "", signatures: [await sign(alive)] })],
]

/**
 * Replaces the last character of a token by one that decodes to the same bytes, because Base64 of 32 bytes leaves
 * two bits unused.
 */
function spareBit(token: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  const last = letters.indexOf(token.at(-1) as string)
  return token.slice(0, -1) + letters[last ^ 1]
}

for (const [what, token] of attacks) {
  test(`an attack is refused: ${what}`, async () => {
    const given = await token()
    // A server refuses a header of a million characters, but a cookie and a test can bring such a token.
    assert.is((await ask(guarded({ secret }), given)).status, 401)
  })
}

test("an attack is refused: the public key as the secret of HS256", async () => {
  const { jwk } = await createPair("RS256")
  for (const taken of [JSON.stringify(jwk), String(jwk.n)]) {
    const token = await byHand({ alg: "HS256" }, alive, new TextEncoder().encode(taken))
    assert.is((await ask(guarded({ keys: jwk }), token)).status, 401)
  }
})

test("an attack is refused: the attacker's key in the header of the token", async () => {
  const { jwk } = await createPair("ES256")
  const { privateKey, jwk: own } = await createPair("ES256", "own")
  const header = {
    alg: "ES256",
    jwk: own,
    jku: "https://evil.example/jwks.json",
    x5u: "https://evil.example/",
  }
  assert.is((await ask(guarded({ keys: jwk }), await sign(alive, privateKey, header as never))).status, 401)
})

test("an attack is refused: a key of one algorithm used with another algorithm", async () => {
  const { jwk } = await createPair("RS256")
  const { alg: _, ...any } = jwk
  const { privateKey: pss } = await createPair("PS256")
  const token = await sign(alive, pss, { alg: "PS256" })
  assert.is((await ask(guarded({ keys: jwk, algorithms: ["RS256", "PS256"] }), token)).status, 401)
  assert.is((await ask(guarded({ keys: any as JWK, algorithms: ["PS256"] }), token)).status, 200)
})

test("kid chooses among several keys, and a token without kid is accepted only if there is one key", async () => {
  const one = await createPair("ES256")
  const two = await createPair("ES256", "two")
  const named = {
    keys: [
      { ...one.jwk, kid: "1" },
      { ...two.jwk, kid: "2" },
    ],
  }
  const by = (pair: Pair, kid?: string) =>
    sign(alive, pair.privateKey, { alg: "ES256", ...(kid !== undefined && { kid }) })
  const rows: ReadonlyArray<readonly [token: string, keys: JWTOptions["keys"], status: number]> = [
    [await by(one, "1"), named, 200],
    [await by(two, "2"), named, 200],
    [await by(two, "1"), named, 401],
    [await by(one, "3"), named, 401],
    [await by(one, "../../1"), named, 401],
    [await by(one), named, 401],
    [await by(one), { keys: [{ ...one.jwk, kid: "1" }] }, 200],
    [await by(one, "9"), { keys: [one.jwk] }, 200],
    [await by(one, "9"), { keys: [{ ...one.jwk, kid: "1" }] }, 401],
    [
      await by(one, "1"),
      {
        keys: [
          { ...one.jwk, kid: "1", use: "enc" },
          { ...two.jwk, kid: "2" },
        ],
      },
      401,
    ],
  ]
  for (const [index, [token, keys, status]] of rows.entries())
    assert.is((await ask(guarded({ ...(keys && { keys }) }), token)).status, status, `row ${index}`)
})

test("with the cookie option, the token is read from the cookie and not from the header", async () => {
  const app = guarded({ secret, cookie: "session" })
  const token = await sign(alive)
  assert.is((await app.request("/", { headers: { cookie: `session=${token}` } })).status, 200)
  const header = await ask(app, token)
  assert.equal([header.status, header.headers.get("www-authenticate")], [401, "Bearer"])
  assert.is(((await header.json()) as { message: string }).message, "missing cookie")
})

test("with the type option, only tokens with this typ are accepted", async () => {
  const app = guarded({ secret, type: "at+jwt" })
  const typed = (typ?: string) => sign(alive, secretBytes, { alg: "HS256", ...(typ && { typ }) })
  for (const [typ, status] of [
    ["at+jwt", 200],
    ["AT+JWT", 200],
    ["application/at+jwt", 200],
    ["JWT", 401],
    [undefined, 401],
  ] as const)
    assert.is((await ask(app, await typed(typ))).status, status, String(typ))
})

test("the type of the middleware names the security scheme that it enforces", () => {
  const inHeader: "bearer JWT" = jwt({ secret }).security
  const inCookie: "cookie session" = jwt({ secret, cookie: "session" }).security
  const asToken: "header Authorization The word Token, a space and the token." = jwt({
    secret,
    prefix: "Token",
  }).security
  assert.equal([inHeader, inCookie], ["bearer JWT", "cookie session"])
  assert.match(asToken, "The word Token")
})

for (const [prefix, header, status, challenge] of [
  ["Token", "Token", 200, null],
  ["Token", "tOKEN", 200, null],
  ["Token", "Bearer", 401, 'Token error="invalid_request"'],
  ["Bearer", "Bearer", 200, null],
  ["Bearer", "Token", 401, 'Bearer error="invalid_request"'],
] as const) {
  test(`jwt({ prefix: "${prefix}" }) answers ${status} to "Authorization: ${header} …"`, async () => {
    const authorization = `${header} ${await sign(alive)}`
    const answer = await guarded({ secret, prefix }).request("/", { headers: { authorization } })
    assert.equal([answer.status, answer.headers.get("www-authenticate")], [status, challenge])
  })
}

const weakRSA = async () => {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 1024,
    publicExponent: new Uint8Array([1, 0, 1]),
  }
  const pair = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as {
    privateKey: CryptoKey
    publicKey: CryptoKey
  }
  return { privateKey: pair.privateKey, jwk: { ...(await exportJWK(pair.publicKey)), alg: "RS256" } as JWK }
}
test("a token signed with an RSA key of 1024 bits is refused", async () => {
  const { privateKey, jwk } = await weakRSA()
  const head = `${base64({ alg: "RS256" })}.${base64(alive)}`
  const signature = await crypto.subtle.sign("RSASSA-PKCS1-v1_5", privateKey as never, Buffer.from(head))
  const token = `${head}.${Buffer.from(signature).toString("base64url")}`
  assert.is((await ask(guarded({ keys: jwk }), token)).status, 401)
})

const ec = { kty: "EC", crv: "P-256", x: "a", y: "b" }
const refused: ReadonlyArray<readonly [what: string, options: object, message: RegExp]> = [
  ["empty options", {}, /needs one of secret, keys and jwksURL/],
  ["two sources", { secret, keys: ec }, /needs one of/],
  ["a secret that is missing", { secret: undefined }, /needs one of/],
  ["a short secret", { secret: "hunter2" }, /a secret of less than 32 bytes/],
  ["a secret too short for HS512", { secret: "x".repeat(63), algorithms: ["HS512"] }, /less than 64 bytes/],
  ["a secret of another kind", { secret: 5 }, /takes text or bytes as secret, not a number/],
  ["the algorithm none", { secret, algorithms: ["none"] }, /no algorithms, or an algorithm that it does not know/],
  ["an empty list of algorithms", { secret, algorithms: [] }, /no algorithms, or an algorithm that it does not know/],
  [
    "a text as the list of algorithms",
    { secret, algorithms: "HS256" },
    /no algorithms, or an algorithm that it does not know/,
  ],
  [
    "a secret with an algorithm for key pairs",
    { secret, algorithms: ["HS256", "RS256"] },
    /a secret, but an algorithm that needs a key pair/,
  ],
  ["keys without an algorithm", { keys: { kty: "RSA", n: "a", e: "b" } }, /do not name their algorithm/],
  ["keys of other algorithms", { keys: ec, algorithms: ["RS256"] }, /do not fit the algorithms/],
  ["an object that is not a key", { keys: { x: 1 } }, /takes a JWK or a set of JWKs/],
  ["an empty set", { keys: { keys: [] } }, /takes a JWK or a set of JWKs/],
  ["keys at a URL without algorithms", { jwksURL: "https://a.example/" }, /needs algorithms with jwksURL/],
  [
    "keys at a URL with an algorithm for secrets",
    { jwksURL: "https://a.example/", algorithms: ["HS256"] },
    /jwksURL, but an algorithm that needs a shared secret/,
  ],
  ["a URL without TLS", { jwksURL: "http://a.example/", algorithms: ["RS256"] }, /an https URL/],
  ["a value that is not a URL", { jwksURL: "a", algorithms: ["RS256"] }, /an https URL/],
  ["an issuer that is missing", { secret, issuer: "" }, /takes a text or a list of texts as issuer/],
  ["a tolerance of a day", { secret, clockTolerance: 86_400 }, /clockTolerance from 0 to 600/],
  ["a cookie with a space", { secret, cookie: "a b" }, /a cookie name that is not valid/],
  ["a prefix of two words", { secret, prefix: "My Token" }, /a prefix that is not the name of a scheme/],
  ["a prefix in a cookie", { secret, prefix: "Token", cookie: "sid" }, /both cookie and prefix/],
  ["a misspelt option", { secret, audiance: "api" }, /has no option "audiance"/],
]
for (const [what, options, message] of refused) {
  test(`jwt() refuses ${what}, and its error shows no secret`, () => {
    try {
      jwt(options as JWTOptions)
    } catch (error) {
      assert.instance(error, FwError)
      assert.match((error as FwError).message, message)
      assert.not.match(`${error}`, /hunter2|sixty-four/)
      return
    }
    assert.unreachable()
  })
}

/** Replaces the server of an issuer: returns its keys or fails, and counts the requests. */
function issuer(keys: () => readonly JWK[] | Error) {
  const state = { asked: 0, now }
  const options = {
    jwksURL: "https://issuer.example/jwks.json",
    algorithms: ["ES256"],
    now: () => state.now,
    async fetch(_url: string, init: RequestInit) {
      state.asked++
      assert.is(init.redirect, "manual")
      const given = keys()
      if (given instanceof Error) throw given
      return Response.json({ keys: given })
    },
  } as const
  return { state, app: guarded(options) }
}

test("keys at a URL: many requests cause one fetch, and a request after ten minutes causes the next one", async () => {
  const { privateKey, jwk } = await createPair("ES256")
  const { state, app } = issuer(() => [{ ...jwk, kid: "1" }])
  const token = await sign({ exp: seconds + 9000 }, privateKey, { alg: "ES256", kid: "1" })
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(app, token)))
  assert.equal([...new Set(answers.map(({ status }) => status))], [200])
  assert.is(state.asked, 1)
  state.now += 599_000
  await ask(app, token)
  assert.is(state.asked, 1)
  state.now += 2000
  assert.is((await ask(app, token)).status, 200)
  assert.is(state.asked, 2)
})

test("keys at a URL: tokens with an unknown key cause at most one fetch in 30 seconds, which finds new keys", async () => {
  const one = await createPair("ES256")
  const two = await createPair("ES256", "two")
  const known = [{ ...one.jwk, kid: "1" }]
  const { state, app } = issuer(() => known)
  const by = (pair: Pair, kid: string) => sign({ exp: seconds + 9000 }, pair.privateKey, { alg: "ES256", kid })
  assert.is((await ask(app, await by(one, "1"))).status, 200)
  known.push({ ...two.jwk, kid: "2" })
  assert.is((await ask(app, await by(two, "2"))).status, 401)
  state.now += 30_000
  assert.is((await ask(app, await by(two, "2"))).status, 200)
  assert.is(state.asked, 2)
  for (let i = 0; i < 50; i++) assert.is((await ask(app, await by(two, `guess-${i}`))).status, 401)
  assert.is(state.asked, 2)
})

test("keys at a URL: while the URL does not answer, the old keys work for an hour, then requests get 503", async () => {
  const { privateKey, jwk } = await createPair("ES256")
  let given: readonly JWK[] | Error = [jwk]
  const { state, app } = issuer(() => given)
  const token = await sign({ exp: seconds + 90_000 }, privateKey, { alg: "ES256" })
  assert.is((await ask(app, token)).status, 200)
  given = new Error("down")
  state.now += 700_000
  assert.is((await ask(app, token)).status, 200)
  state.now += 3_600_000
  const late = await ask(app, token)
  assert.equal([late.status, late.headers.get("retry-after")], [503, "5"])
  assert.equal(await late.json(), {
    error: "service_unavailable",
    message: "the keys for this token cannot be fetched",
  })
  given = [jwk]
  state.now += 6000
  assert.is((await ask(app, token)).status, 200)
})

test("keys at a URL: while the first fetch fails, requests get 503, and not every request causes a fetch", async () => {
  const { privateKey } = await createPair("ES256")
  const { state, app } = issuer(() => new Error("down"))
  const token = await sign(alive, privateKey, { alg: "ES256" })
  for (let i = 0; i < 5; i++) assert.is((await ask(app, token)).status, 503)
  assert.is(state.asked, 1)
})

test("keys at a URL: a set that contains a shared secret, or that is no set, gives nobody access", async () => {
  const oct = { kty: "oct", k: Buffer.from(secret).toString("base64url"), alg: "HS256" } as JWK
  const { app } = issuer(() => [oct])
  assert.is((await ask(app, await sign(alive))).status, 401)
  const { app: broken } = issuer(() => ({ length: 1 }) as never)
  const { privateKey } = await createPair("ES256")
  assert.is((await ask(broken, await sign(alive, privateKey, { alg: "ES256" }))).status, 503)
})

test("keys at a URL: redirects of the server are not followed, and the length of its answer is limited", async () => {
  const { privateKey, jwk } = await createPair("ES256")
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === "/moved") outgoing.writeHead(302, { location: "/jwks" }).end()
    else if (incoming.url === "/endless") outgoing.end(JSON.stringify({ keys: [jwk], pad: "a".repeat(600_000) }))
    else outgoing.end(JSON.stringify({ keys: [jwk] }))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    const { port } = server.address() as AddressInfo
    const token = await sign(alive, privateKey, { alg: "ES256" })
    for (const [path, status] of [
      ["/jwks", 200],
      ["/moved", 503],
      ["/endless", 503],
    ] as const) {
      const app = guarded({ jwksURL: `http://127.0.0.1:${port}${path}`, algorithms: ["ES256"] })
      assert.is((await ask(app, token)).status, status, path)
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test.run()

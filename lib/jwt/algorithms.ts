/** Signature algorithms of tokens (RFC 7518 §3, RFC 8037) in WebCrypto, and the import of their keys. */
import { middlewareFault } from "../middleware/fault.ts"

/**
 * A key in JSON (RFC 7517). Private fields are not read.
 *
 * @example const key: JWK = { kty: "RSA", kid: "2026", alg: "RS256", n: "sXchWx…", e: "AQAB" }
 */
export interface JWK {
  readonly kty: string
  readonly kid?: string
  readonly alg?: string
  readonly use?: string
  readonly key_ops?: readonly string[]
  readonly [name: string]: unknown
}

/** An imported key: not every runtime has a global type for it. */
export type VerifyKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/**
 * A set of keys (RFC 7517 §5).
 *
 * @example const keys: JWKSet = { keys: [{ kty: "EC", crv: "P-256", x: "f83OJ3D2…", y: "x_FEzRu9…" }] }
 */
export interface JWKSet {
  readonly keys: readonly JWK[]
}

/** An algorithm that `jwt()` knows. `none` is not one. @example const algorithms: JWTAlgorithm[] = ["ES256", "RS256"] */
export type JWTAlgorithm = keyof typeof algorithms

/** Parameters of an algorithm in WebCrypto. */
interface Algorithm {
  readonly kty: "oct" | "RSA" | "EC" | "OKP"
  readonly curve?: string
  readonly import: { readonly name: string; readonly hash?: string; readonly namedCurve?: string }
  readonly verify: { readonly name: string; readonly hash?: string; readonly saltLength?: number }
}

const hmac = (bits: number): Algorithm => {
  const algorithm = { name: "HMAC", hash: `SHA-${bits}` }
  return { kty: "oct", import: algorithm, verify: algorithm }
}
const rsa = (bits: number): Algorithm => {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: `SHA-${bits}` }
  return { kty: "RSA", import: algorithm, verify: algorithm }
}
const pss = (bits: number): Algorithm => {
  const algorithm = { name: "RSA-PSS", hash: `SHA-${bits}` }
  return { kty: "RSA", import: algorithm, verify: { ...algorithm, saltLength: bits / 8 } }
}
const ecdsa = (curve: string, bits: number): Algorithm => ({
  kty: "EC",
  curve,
  import: { name: "ECDSA", namedCurve: curve },
  verify: { name: "ECDSA", hash: `SHA-${bits}` },
})
const ed25519: Algorithm = {
  kty: "OKP",
  curve: "Ed25519",
  import: { name: "Ed25519" },
  verify: { name: "Ed25519" },
}

const algorithms = {
  HS256: hmac(256),
  HS384: hmac(384),
  HS512: hmac(512),
  RS256: rsa(256),
  RS384: rsa(384),
  RS512: rsa(512),
  PS256: pss(256),
  PS384: pss(384),
  PS512: pss(512),
  ES256: ecdsa("P-256", 256),
  ES384: ecdsa("P-384", 384),
  ES512: ecdsa("P-521", 512),
  EdDSA: ed25519,
  // RFC 9864 gives EdDSA with this curve its own name.
  Ed25519: ed25519,
} as const

const names = Object.keys(algorithms) as readonly JWTAlgorithm[]

/** Returns true for the name of an algorithm. */
export function isAlgorithm(name: unknown): name is JWTAlgorithm {
  return (names as readonly unknown[]).includes(name)
}

/**
 * Checks a list of algorithms. @throws FwError `jwt` for any other value. `none` is refused like any other
 * unknown name.
 */
export function checkAlgorithms(list: unknown): asserts list is readonly JWTAlgorithm[] | undefined {
  if (list === undefined) return
  if (Array.isArray(list) && list.length > 0 && list.every(isAlgorithm)) return
  throw middlewareFault("jwt.algorithms", [names])
}

/** Returns true if an algorithm uses a secret that both sides know. */
export function isSymmetric(name: JWTAlgorithm): boolean {
  return algorithms[name].kty === "oct"
}

/**
 * Returns true if a key is for an algorithm: its type, its curve, and its own fields (RFC 7517 §4.2 to §4.4).
 */
export function fits(key: JWK, name: JWTAlgorithm): boolean {
  const { kty, curve } = algorithms[name] as Algorithm
  if (key.kty !== kty || (curve !== undefined && key.crv !== curve)) return false
  if (key.use !== undefined && key.use !== "sig") return false
  if (Array.isArray(key.key_ops) && !key.key_ops.includes("verify")) return false
  return key.alg === undefined || key.alg === name || (curve === "Ed25519" && isAlgorithm(key.alg))
}

/** Returns the algorithms of a key by its `alg` or its curve. An RSA key or a secret without `alg` has none. */
export function algorithmsOf(key: JWK): readonly JWTAlgorithm[] {
  return names.filter((name) => fits(key, name) && (key.alg !== undefined || "curve" in algorithms[name]))
}

/** Fields of a public key, and of a secret. Private fields are left out. */
const publicParts = ["kty", "crv", "x", "y", "n", "e", "k"] as const

/**
 * Imports a key for one algorithm. @throws Error for an invalid one, and for an RSA key of less than 2048
 * bits (RFC 7518 §3.3).
 */
export async function importKey(key: JWK, name: JWTAlgorithm): Promise<VerifyKey> {
  const parts = Object.fromEntries(
    publicParts.flatMap((part) => (key[part] === undefined ? [] : [[part, key[part]]])),
  )
  const imported = await crypto.subtle.importKey(
    "jwk",
    parts as never,
    algorithms[name].import as never,
    false,
    ["verify"],
  )
  const { modulusLength = 2048 } = imported.algorithm as { modulusLength?: number }
  if (modulusLength < 2048) throw new Error(`the key has ${modulusLength} bits: RSA takes 2048 or more`)
  return imported
}

/**
 * Returns a secret as a key. @throws FwError `jwt` for one that is shorter than the algorithm's hash (RFC
 * 7518 §3.2).
 */
export function secretKey(secret: string | Uint8Array, allowed: readonly JWTAlgorithm[]): JWK {
  const bytes = typeof secret === "string" ? new TextEncoder().encode(secret) : secret
  const least = Math.max(...allowed.map((name) => Number(name.slice(2)) / 8))
  if (bytes.byteLength < least) {
    // Neither the secret nor its length is shown.
    throw middlewareFault("jwt.secret_length", [least, allowed])
  }
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
  return { kty: "oct", k: text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") }
}

/** Verifies the signature of data. WebCrypto compares secrets in constant time. */
export async function verifySignature(
  key: VerifyKey,
  name: JWTAlgorithm,
  signature: Uint8Array,
  data: Uint8Array,
): Promise<boolean> {
  return crypto.subtle.verify(algorithms[name].verify as never, key, signature as never, data as never)
}

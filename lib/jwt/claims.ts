/** The content of a token: its three parts (RFC 7515 §7.1), its header and its claims (RFC 7519 §4). */
import { isAlgorithm, type JWTAlgorithm } from "./algorithms.ts"

/**
 * The claims of a token: registered ones, and the application's own.
 *
 * @example
 * const isAdmin = (claims: JWTClaims) => claims.role === "admin"
 * app.use(jwt({ secret: "a secret of at least 32 bytes, here in clear", verify: isAdmin }))
 */
export interface JWTClaims {
  readonly iss?: string
  readonly sub?: string
  readonly aud?: string | readonly string[]
  /** Seconds since 1970, like `nbf` and `iat`. */
  readonly exp?: number
  readonly nbf?: number
  readonly iat?: number
  readonly jti?: string
  readonly [name: string]: unknown
}

/** The parts of a token, which are not verified yet. */
export interface ParsedToken {
  readonly algorithm: JWTAlgorithm
  readonly kid: string | undefined
  readonly type: string | undefined
  readonly payload: string
  readonly signature: Uint8Array
  /** The bytes that are signed. */
  readonly signed: Uint8Array
}

/** The rules for claims. Times are in seconds. */
export interface ClaimRules {
  readonly issuers: readonly string[] | undefined
  readonly audiences: readonly string[] | undefined
  readonly tolerance: number
  readonly requireExp: boolean
}

/** Longest token in characters. A longer one is refused before it is decoded. */
const longest = 8192

/**
 * Parses a token. Null for an invalid one, for an unknown algorithm, and for `crit`, because no extensions
 * are supported (RFC 7515 §4.1.11).
 */
export function parseToken(token: string): ParsedToken | null {
  if (token.length > longest) return null
  const [head, payload, signature, ...more] = token.split(".")
  if (head === undefined || payload === undefined || signature === undefined || more.length > 0) return null
  const header = readObject(head)
  const bytes = readBytes(signature)
  if (!header || !bytes || Object.hasOwn(header, "crit")) return null
  const { alg, kid, typ } = header
  if (!isAlgorithm(alg) || !isText(kid) || !isText(typ)) return null
  const signed = new TextEncoder().encode(`${head}.${payload}`)
  return { algorithm: alg, kid, type: typ, payload, signature: bytes, signed }
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string"
}

/** Decodes base64url without padding, in its only valid spelling (RFC 7515 §2); null for anything else. */
function readBytes(text: string): Uint8Array | null {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  const again = btoa(binary)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/={1,2}$/, "")
  return again === text ? Uint8Array.from(binary, (char) => char.charCodeAt(0)) : null
}

/** Decodes a part as a JSON object; null for anything else. */
export function readObject(part: string): Record<string, unknown> | null {
  const bytes = readBytes(part)
  if (!bytes) return null
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
    // `__proto__` would change a prototype if the claims are copied.
    return isObject && !Object.hasOwn(value, "__proto__") ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** The kind of error in claims. */
export type ClaimFault = "expired" | "invalid"

/**
 * Checks claims (RFC 7519 §4.1, RFC 8725 §3.8 to §3.10).
 *
 * @param now seconds since 1970.
 */
export function faultOf(claims: Record<string, unknown>, rules: ClaimRules, now: number): ClaimFault | null {
  const { exp, nbf, iat, iss, sub, aud, jti } = claims
  if (![exp, nbf, iat].every(isTime) || ![iss, sub, jti].every(isText)) return "invalid"
  const audience = audienceOf(aud)
  if (audience === null || (exp === undefined && rules.requireExp)) return "invalid"
  const [before, after] = [now - rules.tolerance, now + rules.tolerance]
  if (exp !== undefined && (exp as number) <= before) return "expired"
  if ([nbf, iat].some((time) => time !== undefined && (time as number) > after)) return "invalid"
  if (rules.issuers && !rules.issuers.includes(iss as string)) return "invalid"
  if (rules.audiences && !rules.audiences.some((name) => audience.includes(name))) return "invalid"
  return null
}

/** Returns true for a NumericDate that is a safe integer. */
function isTime(value: unknown): boolean {
  return value === undefined || (typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER)
}

function audienceOf(aud: unknown): readonly string[] | null {
  const list: unknown[] = aud === undefined ? [] : Array.isArray(aud) ? aud : [aud]
  return list.every((name) => typeof name === "string") ? list : null
}

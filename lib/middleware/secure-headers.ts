/** `secureHeaders()`: sets headers that restrict what browsers do with the responses. */
import { peekResponse } from "../answer/response.ts"
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { headerValue } from "../request/headers.ts"
import type { MiddlewareFunc } from "../types.ts"
import { middlewareFault } from "./fault.ts"

/**
 * Options of `secureHeaders()`: the value of a header, or false to omit it.
 *
 * @example
 * const options: SecureHeadersOptions = { contentSecurityPolicy: "default-src 'self'; script-src 'self' 'nonce'" }
 * app.use(secureHeaders(options))
 */
export interface SecureHeadersOptions {
  /** `'nonce'` in it becomes a new nonce for each request, stored as `csp_nonce` in the context. */
  readonly contentSecurityPolicy?: string | false
  readonly crossOriginEmbedderPolicy?: string | false
  readonly crossOriginOpenerPolicy?: string | false
  readonly crossOriginResourcePolicy?: string | false
  readonly originAgentCluster?: string | false
  readonly permissionsPolicy?: string | false
  readonly referrerPolicy?: string | false
  /** Sent only over HTTPS (RFC 6797 §7.2), and never for localhost. */
  readonly strictTransportSecurity?: string | false
  readonly xContentTypeOptions?: string | false
  readonly xFrameOptions?: string | false
  readonly xPermittedCrossDomainPolicies?: string | false
}

/**
 * Scripts are strict; style attributes are allowed, because much markup has them. Two headers have no
 * default, because many sites need what they forbid.
 */
const defaults: Required<SecureHeadersOptions> = {
  contentSecurityPolicy:
    "default-src 'self'; base-uri 'self'; font-src 'self' data:; form-action 'self'; frame-ancestors 'self'; " +
    "img-src 'self' data:; object-src 'none'; script-src-attr 'none'; style-src 'self' 'unsafe-inline'",
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: "same-origin",
  crossOriginResourcePolicy: "same-origin",
  originAgentCluster: "?1",
  permissionsPolicy: false,
  // Not `no-referrer`, because forms would then send `Origin: null`.
  referrerPolicy: "strict-origin-when-cross-origin",
  strictTransportSecurity: "max-age=31536000; includeSubDomains",
  xContentTypeOptions: "nosniff",
  xFrameOptions: "SAMEORIGIN",
  xPermittedCrossDomainPolicies: "none",
}

const nonceMark = "'nonce'"

/**
 * Adds security headers to every response that does not have them already.
 *
 * @throws FwError `secure_headers` for an unknown or invalid option.
 * @example
 * app.use(secureHeaders({ xFrameOptions: "DENY" }))
 * const answer = await app.request("/")
 * answer.headers.get("X-Frame-Options") // → "DENY"
 */
export function secureHeaders(options: SecureHeadersOptions = {}): MiddlewareFunc {
  checkKeys(options, Object.keys(defaults), "secure_headers", "secureHeaders()")
  const { contentSecurityPolicy, strictTransportSecurity, ...others } = { ...defaults, ...options }
  const always = Object.entries(others).flatMap(([option, value]) => headerOf(option, value))
  const policy = headerOf("contentSecurityPolicy", contentSecurityPolicy)
  const secure = headerOf("strictTransportSecurity", strictTransportSecurity)
  const hasNonce = policy.some(([, value]) => value.includes(nonceMark))
  return (next) => async (c) => {
    const nonce = hasNonce ? makeNonce(c) : ""
    const response = await next(c)
    const { header } = peekResponse(c, response)
    const own = [...always, ...policy, ...(isSecure(c.origin) ? secure : [])]
    for (const [name, value] of own) {
      if (header(name) !== "") continue
      c.setHeader(name, nonce === "" ? value : value.replaceAll(nonceMark, `'nonce-${nonce}'`))
    }
    return response
  }
}

function headerOf(option: string, value: unknown): [name: string, value: string][] {
  if (value === false) return []
  const name = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  try {
    if (value !== "") return [[name, headerValue(name, value as string)]]
  } catch {
    // The value is not printed, because it may contain a secret.
  }
  throw middlewareFault("secure_headers", [option])
}

function isSecure(origin: string): boolean {
  // A browser would apply it to every port of the developer's machine.
  return origin.startsWith("https:") && !/^https:\/\/(?:localhost|127\.|\[::1\])/.test(origin)
}

function makeNonce(c: Context): string {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
  c.set("csp_nonce", nonce)
  return nonce
}

/** `secureHeaders()`: sets headers that restrict what browsers do with responses. */
import { peekResponse } from "../answer/response.ts"
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { isLocalHost } from "../request/address.ts"
import { isHeaderText } from "../request/headers.ts"
import type { MiddlewareFunc } from "../types.ts"
import { middlewareFault } from "./fault.ts"
import { findValueProblem } from "./security-values.ts"

/**
 * Options of `secureHeaders()`: for each header its value, or false to leave the header out. An empty value, an unknown
 * directive, and a keyword without quotes are errors, because browsers would ignore them.
 *
 * @example
 * const options: SecureHeadersOptions = { contentSecurityPolicy: "default-src 'self'; script-src 'self' 'nonce'" }
 * app.use(secureHeaders(options))
 */
export interface SecureHeadersOptions {
  /**
   * The text `'nonce'` in it is replaced by a new nonce for each request, which is stored in the context as
   * `csp_nonce`.
   */
  readonly contentSecurityPolicy?: string | false
  readonly crossOriginEmbedderPolicy?: WithReport<"unsafe-none" | "require-corp" | "credentialless"> | false
  readonly crossOriginOpenerPolicy?:
    | WithReport<"unsafe-none" | "same-origin-allow-popups" | "same-origin" | "noopener-allow-popups">
    | false
  readonly crossOriginResourcePolicy?: "same-origin" | "same-site" | "cross-origin" | false
  readonly originAgentCluster?: "?1" | "?0" | false
  /** Features, and the origins that may use them: `camera=(), geolocation=(self)`. */
  readonly permissionsPolicy?: string | false
  /** One policy, or two: the second one is for browsers that know it. */
  readonly referrerPolicy?: ReferrerPolicy | `${ReferrerPolicy}, ${ReferrerPolicy}` | false
  /** Sent over HTTPS only (RFC 6797 §7.2), and never for localhost. */
  readonly strictTransportSecurity?: string | false
  readonly xContentTypeOptions?: "nosniff" | false
  readonly xFrameOptions?: "DENY" | "SAMEORIGIN" | false
  readonly xPermittedCrossDomainPolicies?:
    | "none"
    | "none-this-response"
    | "master-only"
    | "by-content-type"
    | "by-ftp-filename"
    | "all"
    | false
}

/** A word, or a word and the endpoint to which browsers send reports. */
type WithReport<Word extends string> = Word | `${Word}; report-to="${string}"`

type ReferrerPolicy =
  | "no-referrer"
  | "no-referrer-when-downgrade"
  | "origin"
  | "origin-when-cross-origin"
  | "same-origin"
  | "strict-origin"
  | "strict-origin-when-cross-origin"
  | "unsafe-url"

/** The default policy. It is strict for scripts, but allows style attributes, because much markup has them. */
export const defaultPolicy =
  "default-src 'self'; base-uri 'self'; font-src 'self' data:; form-action 'self'; frame-ancestors 'self'; " +
  "img-src 'self' data:; object-src 'none'; script-src-attr 'none'; style-src 'self' 'unsafe-inline'"

/** The default values. Two headers have none, because they forbid things that many sites need. */
const defaultOptions: Required<SecureHeadersOptions> = {
  contentSecurityPolicy: defaultPolicy,
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: "same-origin",
  crossOriginResourcePolicy: "same-origin",
  originAgentCluster: "?1",
  permissionsPolicy: false,
  // With `no-referrer`, forms would send `Origin: null`.
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
 * @throws FwError `secure_headers` for an unknown option, and for a value that browsers would ignore.
 * @example
 * app.use(secureHeaders({ xFrameOptions: "DENY" }))
 * const answer = await app.request("/")
 * answer.headers.get("X-Frame-Options") // → "DENY"
 */
export function secureHeaders(options: SecureHeadersOptions = {}): MiddlewareFunc {
  checkKeys(options, Object.keys(defaultOptions), "secure_headers", "secureHeaders()")
  const { contentSecurityPolicy, strictTransportSecurity, ...otherOptions } = { ...defaultOptions, ...options }
  const commonHeaders = Object.entries(otherOptions).flatMap(([option, value]) => toHeader(option, value))
  const policyHeader = toHeader("contentSecurityPolicy", contentSecurityPolicy)
  const transportHeader = toHeader("strictTransportSecurity", strictTransportSecurity)
  const hasNonce = policyHeader.some(([, value]) => value.includes(nonceMark))
  return (next) => async (c) => {
    const nonce = hasNonce ? createNonce(c) : ""
    const response = await next(c)
    const { header } = peekResponse(c, response)
    const headers = [...commonHeaders, ...policyHeader, ...(isSecure(c.origin) ? transportHeader : [])]
    for (const [name, value] of headers) {
      if (header(name) !== "") continue
      c.setHeader(name, nonce === "" ? value : value.replaceAll(nonceMark, `'nonce-${nonce}'`))
    }
    return response
  }
}

function toHeader(option: string, value: unknown): [name: string, value: string][] {
  if (value === false) return []
  const name = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  // The message does not show the value, because it may be a secret that was passed by mistake.
  if (typeof value !== "string" || value === "" || !isHeaderText(value))
    throw middlewareFault("secure_headers", [option])
  const problem = findValueProblem(option, value)
  if (problem) throw middlewareFault("secure_headers.value", [option, ...problem])
  return [[name, value]]
}

function isSecure(origin: string): boolean {
  // On localhost, browsers would apply the header to every port of the developer's machine.
  return origin.startsWith("https:") && !isLocalHost(new URL(origin).hostname)
}

function createNonce(c: Context): string {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
  c.set("csp_nonce", nonce)
  return nonce
}

/** Credentials that the user has entered, and cookies that responses have set. Both are kept only for this tab. */
import type { Api, Operation, SecurityScheme } from "./document.ts"
import { h, renderProse } from "./dom.ts"

/** Headers and query parameters that credentials add to a request. */
export interface CredentialValues {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly cookies: readonly (readonly [name: string, value: string])[]
}

const credentialsKey = "fw.explorer.credentials"
const cookiesKey = "fw.explorer.cookies"

/** Credentials and cookies are in the session storage, so they survive a reload of the page. */
const enteredCredentials: Record<string, string> = JSON.parse(sessionStorage.getItem(credentialsKey) ?? "{}")
const enteredCookies: Record<string, string> = JSON.parse(sessionStorage.getItem(cookiesKey) ?? "{}")

/**
 * Returns the credentials for an operation. Of several alternatives, the first one is used whose fields are all filled
 * in.
 */
export function collectCredentials(api: Api, { security }: Operation): CredentialValues {
  const has = (needs: readonly string[]) => needs.length > 0 && needs.every((name) => enteredCredentials[name])
  const schemes = (security.find(has) ?? []).map((name) => api.schemes.find((scheme) => scheme.name === name))
  const proof = {
    headers: [] as [string, string][],
    query: [] as [string, string][],
    cookies: Object.entries(enteredCookies),
  }
  for (const scheme of schemes) if (scheme) addCredential(scheme, enteredCredentials[scheme.name] as string, proof)
  return proof
}

type MutableCredentialValues = {
  headers: [string, string][]
  query: [string, string][]
  cookies: [string, string][]
}

function addCredential(
  { type, scheme, in: where, key = "" }: SecurityScheme,
  value: string,
  proof: MutableCredentialValues,
): void {
  if (type === "apiKey") {
    const list = where === "query" ? proof.query : where === "cookie" ? proof.cookies : proof.headers
    list.push([key, value])
  } else if (type === "http" && scheme === "basic") proof.headers.push(["authorization", `Basic ${toBase64(value)}`])
  else proof.headers.push(["authorization", `Bearer ${value}`])
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

/** Stores and deletes cookies as browsers do, but without looking at their paths and domains. */
export function storeCookies(lines: readonly string[]): void {
  for (const line of lines) {
    const [pair = "", ...attributes] = line.split(";")
    const at = pair.indexOf("=")
    const name = trimBlanks(pair.slice(0, at))
    const maxAge = attributes.map((text) => /^\s*max-age=(-?\d+)/i.exec(text)?.[1]).find(Boolean)
    const expiryDate = attributes.map((text) => /^\s*expires=(.+)/i.exec(text)?.[1]).find(Boolean)
    const isExpired = maxAge ? Number(maxAge) <= 0 : expiryDate ? Date.parse(expiryDate) <= Date.now() : false
    if (isExpired) delete enteredCookies[name]
    else if (at > 0) enteredCookies[name] = trimBlanks(pair.slice(at + 1))
  }
  sessionStorage.setItem(cookiesKey, JSON.stringify(enteredCookies))
}

/** Removes only spaces and tabs, because other white space is part of a cookie's name (RFC 6265bis §5.6). */
function trimBlanks(text: string): string {
  return text.replace(/^[ \t]+/, "").replace(/(?<![ \t])[ \t]+$/, "")
}

/** Returns the names of the stored cookies. */
export function listCookieNames(): string[] {
  return Object.keys(enteredCookies)
}

/** Deletes all cookies. */
export function clearCookies(): void {
  for (const name of Object.keys(enteredCookies)) delete enteredCookies[name]
  sessionStorage.setItem(cookiesKey, "{}")
}

/** Returns the fields for the security schemes of an operation; null if it has none. */
export function createCredentialsView(api: Api, { security }: Operation): HTMLElement | null {
  const names = new Set(security.flat())
  const schemes = api.schemes.filter(({ name }) => names.has(name))
  if (schemes.length === 0) return null
  const isOptional = security.some((needs) => needs.length === 0)
  const title = isOptional ? "Authentication (optional)" : "Authentication"
  return h("fieldset", {}, h("legend", {}, title), schemes.map(createField))
}

function createField(scheme: SecurityScheme): HTMLElement {
  const { name, type, description } = scheme
  const keep = (event: InputEvent) => {
    enteredCredentials[name] = (event.target as HTMLInputElement).value
    sessionStorage.setItem(credentialsKey, JSON.stringify(enteredCredentials))
  }
  const input = h("input", {
    type: "password",
    autocomplete: "off",
    value: enteredCredentials[name] ?? "",
    oninput: keep,
  })
  const where = type === "apiKey" ? `${scheme.in} ${scheme.key}` : scheme.scheme === "basic" ? "name:password" : "token"
  const label = h("span", {}, h("code", {}, name), " ", h("span", { class: "quiet" }, where))
  return h("div", { class: "field" }, h("label", {}, label, input), renderProse(description))
}

/** Credentials that the user has entered, kept only for this tab, and cookies that responses have set. */
import type { Api, Operation, SecurityScheme } from "./document.ts"
import { h, prose } from "./dom.ts"

/** Headers and query parameters that credentials add to a request. */
export interface Proof {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly cookies: readonly (readonly [name: string, value: string])[]
}

const place = "fw.explorer.credentials"
const jarPlace = "fw.explorer.cookies"

/** Credentials survive a reload of the page. */
const entered: Record<string, string> = JSON.parse(sessionStorage.getItem(place) ?? "{}")
const jar: Record<string, string> = JSON.parse(sessionStorage.getItem(jarPlace) ?? "{}")

/** Returns the credentials for an operation: the first alternative whose fields are all filled in. */
export function proofFor(api: Api, { security }: Operation): Proof {
  const has = (needs: readonly string[]) => needs.length > 0 && needs.every((name) => entered[name])
  const schemes = (security.find(has) ?? []).map((name) => api.schemes.find((scheme) => scheme.name === name))
  const proof = {
    headers: [] as [string, string][],
    query: [] as [string, string][],
    cookies: Object.entries(jar),
  }
  for (const scheme of schemes) if (scheme) add(scheme, entered[scheme.name] as string, proof)
  return proof
}

type Growing = { headers: [string, string][]; query: [string, string][]; cookies: [string, string][] }

function add({ type, scheme, in: where, key = "" }: SecurityScheme, value: string, proof: Growing): void {
  if (type === "apiKey") {
    const list = where === "query" ? proof.query : where === "cookie" ? proof.cookies : proof.headers
    list.push([key, value])
  } else if (type === "http" && scheme === "basic")
    proof.headers.push(["authorization", `Basic ${base64(value)}`])
  else proof.headers.push(["authorization", `Bearer ${value}`])
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

/** Stores and deletes cookies as responses ask, like a browser, but ignores their paths and domains. */
export function keepCookies(lines: readonly string[]): void {
  for (const line of lines) {
    const [pair = "", ...attributes] = line.split(";")
    const at = pair.indexOf("=")
    const name = withoutBlanks(pair.slice(0, at))
    const age = attributes.map((text) => /^\s*max-age=(-?\d+)/i.exec(text)?.[1]).find(Boolean)
    const until = attributes.map((text) => /^\s*expires=(.+)/i.exec(text)?.[1]).find(Boolean)
    const gone = age ? Number(age) <= 0 : until ? Date.parse(until) <= Date.now() : false
    if (gone) delete jar[name]
    else if (at > 0) jar[name] = withoutBlanks(pair.slice(at + 1))
  }
  sessionStorage.setItem(jarPlace, JSON.stringify(jar))
}

/** Removes SP and HTAB only: other white space is a part of a name (RFC 6265bis §5.6). */
function withoutBlanks(text: string): string {
  return text.replace(/^[ \t]+/, "").replace(/(?<![ \t])[ \t]+$/, "")
}

/** Returns the names of the cookies that are sent. */
export function cookieNames(): string[] {
  return Object.keys(jar)
}

/** Deletes all cookies. */
export function clearCookies(): void {
  for (const name of Object.keys(jar)) delete jar[name]
  sessionStorage.setItem(jarPlace, "{}")
}

/** Returns the fields for the security schemes of an operation; null if it has none. */
export function credentialsView(api: Api, { security }: Operation): HTMLElement | null {
  const names = new Set(security.flat())
  const schemes = api.schemes.filter(({ name }) => names.has(name))
  if (schemes.length === 0) return null
  const optional = security.some((needs) => needs.length === 0)
  const title = optional ? "Authentication (optional)" : "Authentication"
  return h("fieldset", {}, h("legend", {}, title), schemes.map(field))
}

function field(scheme: SecurityScheme): HTMLElement {
  const { name, type, description } = scheme
  const keep = (event: InputEvent) => {
    entered[name] = (event.target as HTMLInputElement).value
    sessionStorage.setItem(place, JSON.stringify(entered))
  }
  const input = h("input", {
    type: "password",
    autocomplete: "off",
    value: entered[name] ?? "",
    oninput: keep,
  })
  const where =
    type === "apiKey" ? `${scheme.in} ${scheme.key}` : scheme.scheme === "basic" ? "name:password" : "token"
  const label = h("span", {}, h("code", {}, name), " ", h("span", { class: "quiet" }, where))
  return h("div", { class: "field" }, h("label", {}, label, input), prose(description))
}

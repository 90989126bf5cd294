/** Security schemes and requirements, from `@security` and from types. */
import { sortedEntries } from "../order.ts"

/** A scheme of the document (OpenAPI 3.1.0 §4.8.27). */
export type Scheme = { readonly [key: string]: string }

/** One alternative: the schemes that it requires together. Empty if it requires none. */
export type Requirement = readonly string[]

const places = ["header", "cookie", "query"]
/** Schemes with a default name: `@security apiKey` is a key in the header X-API-Key. */
const usual: Readonly<Record<string, readonly [place: string, name: string]>> = {
  apiKey: ["header", "X-API-Key"],
  session: ["cookie", "session_id"],
}

/** The accepted forms, for messages. */
export const securityForms =
  "bearer [format], basic, apiKey [header], session [cookie], header <name>, cookie <name>, query <name>, openIdConnect <url> or none"

/** Only before the name of a kind: a description may hold the mark too. */
const together = new RegExp(
  ` & (?=(?:bearer|basic|openIdConnect|none|${[...places, ...Object.keys(usual)].join("|")})\\b)`,
)

/** Collects the schemes that are used. */
export class Security {
  readonly #schemes = new Map<string, Scheme>()

  /**
   * Parses the text after `@security`: one scheme, or several with `&` between them.
   *
   * @returns the names of the schemes that are required together, without any for `none`; null for text that
   * is not valid.
   */
  get schemes(): Record<string, Scheme> {
    return Object.fromEntries(sortedEntries(this.#schemes))
  }

  /**
   * Parses the text after `@security`: one scheme, or several with `&` between them.
   *
   * @returns the names of the schemes that are required together, without any for `none`; null for text that
   * is not valid.
   */
  read(text: string): Requirement | null {
    const names = text.split(together).map((part) => this.#scheme(part.trim()))
    const known = names.filter((name) => name !== null)
    return known.length < names.length ? null : known.filter((name) => name !== "none")
  }

  #scheme(text: string): string | null {
    const [kind = "", value = "", ...rest] = text.split(/\s+/)
    const scheme = schemeOf(kind, value, rest.join(" "))
    if (kind === "none") return "none"
    if (!scheme) return null
    const wanted = (places.includes(kind) ? value : kind).replace(/[^A-Za-z0-9._-]/g, "_")
    let name = wanted
    for (let n = 2; this.#schemes.has(name); n++) {
      const same = this.#schemes.get(name) as Scheme
      if (isSame(same, scheme)) break
      name = `${wanted}${n}`
    }
    this.#schemes.set(name, { ...scheme, ...this.#schemes.get(name) })
    return name
  }
}

function isSame(a: Scheme, b: Scheme): boolean {
  return ["type", "in", "name", "scheme", "openIdConnectUrl"].every((key) => a[key] === b[key])
}

function schemeOf(kind: string, value: string, description: string): Scheme | null {
  const text: Scheme = description === "" ? {} : { description }
  if (kind === "bearer")
    return { type: "http", scheme: "bearer", ...(value && { bearerFormat: value }), ...text }
  if (kind === "basic") return { type: "http", scheme: "basic" }
  if (kind === "openIdConnect")
    return value === "" ? null : { type: "openIdConnect", openIdConnectUrl: value, ...text }
  const [place, name] = usual[kind] ?? [kind, ""]
  if (!places.includes(place) || (value || name) === "") return null
  return { type: "apiKey", in: place, name: value || name, ...text }
}

/** Combines the layers of a chain, each with alternatives, into the alternatives of all. */
export function combine(layers: ReadonlyArray<readonly Requirement[]>): Requirement[] {
  let ways: Requirement[] = [[]]
  for (const alternatives of layers)
    ways = ways.flatMap((way) => alternatives.map((names) => [...way, ...names]))
  const unique = new Map(ways.map((way) => [...new Set(way)].sort()).map((way) => [way.join(" "), way]))
  return [...unique.values()]
}

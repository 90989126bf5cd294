/** Reads security schemes and requirements from `@security` and from types. */
import { sortEntries } from "../../../lib/order.ts"

/** A scheme of the document (OpenAPI 3.1.0 §4.8.27). */
export type SecurityScheme = { readonly [key: string]: string }

/** The names of the schemes that a request must meet together. Empty if it needs no credentials. */
export type Requirement = readonly string[]

const keyPlaces = ["header", "cookie", "query"]
/** Schemes with a default name: `@security apiKey` means a key in the header X-API-Key. */
const defaultKeys: Readonly<Record<string, readonly [place: string, name: string]>> = {
  apiKey: ["header", "X-API-Key"],
  session: ["cookie", "session_id"],
}

/** The valid texts of `@security`, for messages. */
export const securityForms =
  "bearer [format], basic, apiKey [header], session [cookie], header <name>, cookie <name>, query <name>, openIdConnect <url> or none"

/** Matches `&` only before the name of a scheme, because descriptions may contain it too. */
const separatorPattern = new RegExp(
  ` & (?=(?:bearer|basic|openIdConnect|none|${[...keyPlaces, ...Object.keys(defaultKeys)].join("|")})\\b)`,
)

/** Collects the schemes that are used. */
export class SecuritySchemes {
  readonly #schemes = new Map<string, SecurityScheme>()

  /** The schemes that are used, by name. */
  get schemes(): Record<string, SecurityScheme> {
    return Object.fromEntries(sortEntries(this.#schemes))
  }

  /**
   * Parses the text after `@security`: one scheme, or several with `&` between them.
   *
   * @returns the names of the schemes that are required together, which are none for the text `none`; null if the
   * text is not valid.
   */
  read(text: string): Requirement | null {
    const names = text.split(separatorPattern).map((part) => this.#addScheme(part.trim()))
    const known = names.filter((name) => name !== null)
    return known.length < names.length ? null : known.filter((name) => name !== "none")
  }

  #addScheme(text: string): string | null {
    const [kind = "", value = "", ...rest] = text.split(/\s+/)
    const scheme = parseScheme(kind, value, rest.join(" "))
    if (kind === "none") return "none"
    if (!scheme) return null
    const wantedName = (keyPlaces.includes(kind) ? value : kind).replace(/[^A-Za-z0-9._-]/g, "_")
    let name = wantedName
    for (let n = 2; this.#schemes.has(name); n++) {
      if (isSameScheme(this.#schemes.get(name) as SecurityScheme, scheme)) break
      name = `${wantedName}${n}`
    }
    this.#schemes.set(name, { ...scheme, ...this.#schemes.get(name) })
    return name
  }
}

function isSameScheme(a: SecurityScheme, b: SecurityScheme): boolean {
  return ["type", "in", "name", "scheme", "openIdConnectUrl"].every((key) => a[key] === b[key])
}

function parseScheme(kind: string, value: string, description: string): SecurityScheme | null {
  const text: SecurityScheme = description === "" ? {} : { description }
  if (kind === "bearer") return { type: "http", scheme: "bearer", ...(value && { bearerFormat: value }), ...text }
  if (kind === "basic") return { type: "http", scheme: "basic" }
  if (kind === "openIdConnect") return value === "" ? null : { type: "openIdConnect", openIdConnectUrl: value, ...text }
  const [place, name] = defaultKeys[kind] ?? [kind, ""]
  if (!keyPlaces.includes(place) || (value || name) === "") return null
  return { type: "apiKey", in: place, name: value || name, ...text }
}

/**
 * Combines the requirements of several layers, which a request must all meet. Each layer has alternatives, and so
 * has the result.
 */
export function combineLayers(layers: ReadonlyArray<readonly Requirement[]>): Requirement[] {
  let ways: Requirement[] = [[]]
  for (const alternatives of layers) ways = ways.flatMap((way) => alternatives.map((names) => [...way, ...names]))
  const unique = new Map(ways.map((way) => [...new Set(way)].sort()).map((way) => [way.join(" "), way]))
  return [...unique.values()]
}

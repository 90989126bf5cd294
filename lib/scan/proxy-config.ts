/** Reads the `ProxyConfig` of a proxy file, which must be a literal. */
import type { ModuleExport, ModuleText } from "./exports.ts"
import { scanFault } from "./fault.ts"
import { positionOf, type Token } from "./tokens.ts"

/** A ProxyConfig as written. */
export interface ProxyLiteral {
  readonly matchers: readonly string[]
  readonly excludes: readonly string[]
}

const keys = ["matcher", "matchers", "excludes"] as const
const example = 'export const ProxyConfig = { matcher: ["/api/:path*"], excludes: ["/api/health"] }'

/**
 * Reads the value of `export const ProxyConfig`.
 *
 * @throws FwError `proxy_config` for an unknown key and for values other than lists of plain strings.
 */
export function readProxyConfig(module: ModuleText, declared: ModuleExport): ProxyLiteral {
  if (declared.value === undefined) {
    const { line, column } = declared
    throw scanFault("proxy_config.literal", [example], { at: { file: module.file, line, column } })
  }
  return new Literal(module, declared.value).read()
}

/** Parses the tokens of the literal. */
class Literal {
  readonly #module: ModuleText
  #at: number

  constructor(module: ModuleText, at: number) {
    this.#module = module
    this.#at = at
  }

  read(): ProxyLiteral {
    const lists = new Map<string, readonly string[]>()
    this.#expect("{")
    while (!this.#take("}")) {
      const key = this.#key(lists)
      this.#expect(":")
      lists.set(key, this.#list(key))
      if (!this.#take(",") && this.#token?.text !== "}") this.#refuse()
    }
    this.#suffix()
    const { text, newline } = this.#token ?? { text: ";", newline: true }
    if (text !== ";" && text !== "," && !newline) this.#refuse()
    const list = (key: string) => lists.get(key) ?? []
    return { matchers: [...list("matcher"), ...list("matchers")], excludes: list("excludes") }
  }

  get #token(): Token | undefined {
    return this.#module.tokens[this.#at]
  }

  #take(text: string): boolean {
    if (this.#token?.text !== text) return false
    this.#at += 1
    return true
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#refuse()
  }

  #key(known: ReadonlyMap<string, unknown>): string {
    const token = this.#token
    if (token?.kind !== "word" && token?.kind !== "string") return this.#refuse()
    const key = token.kind === "string" ? stringValue(token.text) : token.text
    if (!keys.some((name) => name === key)) throw scanFault("proxy_config.key", [key], this.#place())
    if (known.has(key)) throw scanFault("proxy_config.twice", [key], this.#place())
    this.#at += 1
    return key
  }

  #list(key: string): string[] {
    if (this.#token?.kind === "string") {
      throw scanFault("proxy_config.string", [key, this.#token.text], this.#place())
    }
    const items: string[] = []
    this.#expect("[")
    while (!this.#take("]")) {
      items.push(this.#string())
      if (!this.#take(",") && this.#token?.text !== "]") this.#refuse()
    }
    this.#suffix()
    return items
  }

  #string(): string {
    const token = this.#token
    const plain =
      token?.kind === "string" || (token?.kind === "template" && !/(?<!\\)(?:\\\\)*\$\{/.test(token.text))
    if (!token || !plain) return this.#refuse()
    this.#at += 1
    return stringValue(token.text)
  }

  /** Skips `as const`, `satisfies ProxyConfig` and similar suffixes. */
  #suffix(): void {
    while (this.#take("as") || this.#take("satisfies")) this.#type()
  }

  #type(): void {
    this.#take("readonly")
    if (this.#token?.kind !== "word") this.#refuse()
    this.#at += 1
    for (;;) {
      if (this.#take(".")) this.#at += 1
      else if (this.#take("[")) this.#expect("]")
      else if (this.#take("<")) {
        do this.#type()
        while (this.#take(","))
        this.#expect(">")
      } else return
    }
  }

  #refuse(): never {
    throw scanFault("proxy_config.literal", [example], this.#place())
  }

  #place() {
    const { file, source } = this.#module
    return { at: { file, ...positionOf(source, this.#token?.start ?? source.length) } }
  }
}

const escapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", 0: "\0" }

/** Returns the value of a string literal, or of a template literal without expressions (ECMA-262 §12.9.4). */
export function stringValue(literal: string): string {
  const sequence = /\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|[\s\S]))/gu
  return literal.slice(1, -1).replace(sequence, (_, braced, unicode, hex, char) => {
    const code = braced ?? unicode ?? hex
    if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff))
    return /[\r\n\u2028\u2029]/.test(char) ? "" : (escapes[char] ?? char)
  })
}

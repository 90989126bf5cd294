/** Reads the `ProxyConfig` of a proxy file, which must be a literal. */
import { type ModuleExport, type ModuleText, toLocation } from "./exports.ts"
import { scanFault } from "./fault.ts"
import { type ModuleToken, toPosition } from "./tokens.ts"

/** The ProxyConfig of a file. */
export interface ProxyLiteral {
  readonly matchers: readonly string[]
  readonly excludes: readonly string[]
}

const configKeys = ["matcher", "matchers", "excludes"] as const
const configExample = 'export const ProxyConfig = { matcher: ["/api/:path*"], excludes: ["/api/health"] }'

/**
 * Reads the value of `export const ProxyConfig`.
 *
 * @throws FwError `proxy_config` for an unknown key, and for a value that is not a list of plain strings.
 */
export function readProxyConfig(module: ModuleText, configExport: ModuleExport): ProxyLiteral {
  if (configExport.value === undefined)
    throw scanFault("proxy_config.literal", [configExample], toLocation(module, configExport))
  return new LiteralReader(module, configExport.value).read()
}

/** Parses a literal from its tokens. */
class LiteralReader {
  readonly #module: ModuleText
  #index: number

  constructor(module: ModuleText, at: number) {
    this.#module = module
    this.#index = at
  }

  read(): ProxyLiteral {
    const lists = new Map<string, readonly string[]>()
    this.#expect("{")
    while (!this.#take("}")) {
      const key = this.#readKey(lists)
      this.#expect(":")
      lists.set(key, this.#readList(key))
      if (!this.#take(",") && this.#token?.text !== "}") this.#refuse()
    }
    this.#skipSuffix()
    const { text, isOnNewLine } = this.#token ?? { text: ";", isOnNewLine: true }
    if (text !== ";" && text !== "," && !isOnNewLine) this.#refuse()
    const list = (key: string) => lists.get(key) ?? []
    return { matchers: [...list("matcher"), ...list("matchers")], excludes: list("excludes") }
  }

  get #token(): ModuleToken | undefined {
    return this.#module.tokens[this.#index]
  }

  #take(text: string): boolean {
    if (this.#token?.text !== text) return false
    this.#index += 1
    return true
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#refuse()
  }

  #readKey(lists: ReadonlyMap<string, unknown>): string {
    const token = this.#token
    if (token?.kind !== "word" && token?.kind !== "string") return this.#refuse()
    const key = token.kind === "string" ? parseStringLiteral(token.text) : token.text
    if (!configKeys.some((name) => name === key)) throw scanFault("proxy_config.key", [key], this.#getLocation())
    if (lists.has(key)) throw scanFault("proxy_config.twice", [key], this.#getLocation())
    this.#index += 1
    return key
  }

  #readList(key: string): string[] {
    if (this.#token?.kind === "string") {
      throw scanFault("proxy_config.string", [key, this.#token.text], this.#getLocation())
    }
    const items: string[] = []
    this.#expect("[")
    while (!this.#take("]")) {
      items.push(this.#readString())
      if (!this.#take(",") && this.#token?.text !== "]") this.#refuse()
    }
    this.#skipSuffix()
    return items
  }

  #readString(): string {
    const token = this.#token
    const isPlain = token?.kind === "string" || (token?.kind === "template" && !/(?<!\\)(?:\\\\)*\$\{/.test(token.text))
    if (!token || !isPlain) return this.#refuse()
    this.#index += 1
    return parseStringLiteral(token.text)
  }

  /** Skips `as const`, `satisfies ProxyConfig` and similar text after the literal. */
  #skipSuffix(): void {
    while (this.#take("as") || this.#take("satisfies")) this.#skipType()
  }

  #skipType(): void {
    this.#take("readonly")
    if (this.#token?.kind !== "word") this.#refuse()
    this.#index += 1
    for (;;) {
      if (this.#take(".")) this.#index += 1
      else if (this.#take("[")) this.#expect("]")
      else if (this.#take("<")) {
        do this.#skipType()
        while (this.#take(","))
        this.#expect(">")
      } else return
    }
  }

  #refuse(): never {
    throw scanFault("proxy_config.literal", [configExample], this.#getLocation())
  }

  #getLocation() {
    const { file, source } = this.#module
    return { at: { file, ...toPosition(source, this.#token?.start ?? source.length) } }
  }
}

const escapedCharacters: Record<string, string> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  0: "\0",
}

/** Returns the value of a string literal, or of a template literal without expressions (ECMA-262 §12.9.4). */
export function parseStringLiteral(literal: string): string {
  const sequence = /\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|[\s\S]))/gu
  return literal.slice(1, -1).replace(sequence, (_, braced, unicode, hex, char) => {
    const code = braced ?? unicode ?? hex
    if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff))
    return /[\r\n\u2028\u2029]/.test(char) ? "" : (escapedCharacters[char] ?? char)
  })
}

/**
 * The names that are in scope at a place in a template. If such a name is in braces where text is literal, as in a
 * quoted attribute or a style, the braces would be printed. That is an error.
 */

import { getAttributeKind } from "../../lib/html/attributes.ts"
import { Problem } from "../diagnostic.ts"
import { closesBracket, opensBracket } from "../parse/brackets.ts"
import { Lexer, type Token } from "../parse/lexer.ts"
import { findAttributeFix } from "./attribute-kind.ts"

const identifier = "[\\p{ID_Start}$_][\\p{ID_Continue}$\\u200c\\u200d]*"
/**
 * A name in braces, or an expression that begins with a name, such as `{user.name}`. An object does not match, because
 * a colon follows its first name.
 */
const bracedName = new RegExp(`\\{\\s*(${identifier})\\s*(?=[}.?!([])`, "gu")
/**
 * A name in braces in a script. There, other braces are blocks, and a pattern declares its name: `const { a } = b`,
 * `({ a }) => b`.
 */
const scriptBracedName = new RegExp(
  `\\{(?<!\\b(?:const|let|var)\\s*\\{)\\s*(${identifier})(?:\\.${identifier})*\\s*\\}(?!\\s*(?:=(?!=)|\\)\\s*=>))`,
  "gu",
)
/** How to use a value in a style. */
export const styleFix = "Set a custom property, style={{ '--name': value }}, and use var(--name) here."
/** How to use a value in the attribute `style`. */
const objectFix = "Write an object, such as style={{ color: value }}."
const declarationWords = new Set("const let var".split(" "))
const namedDeclarationWords = new Set("function class enum namespace".split(" "))
const importWords = new Set("from as type default".split(" "))

/** A call: `Row(task)` or `ui.Row(task)`. It does not begin in the middle of a longer name. */
const callPattern = new RegExp(
  `(?<![\\p{ID_Continue}$.])(${identifier})(\\.${identifier})?\\(([^()\\n]{0,80}\\))?`,
  "gu",
)
/** A text that is only a name, or a value such as `user.name` or `rows[0]?.id`. */
const valuePattern = new RegExp(
  `^\\s*((${identifier})(?:!?\\??\\.${identifier}|!?(?:\\?\\.)?\\[[^\\][\\n]{1,80}\\])*)\\s*$`,
  "u",
)
/** The end of a plural in prose, as in "3 Task(s)". */
const pluralSuffix = /^\((?:s|es|e?n)\)$/

/** A name in literal text. It is an error if the module turns out to have that name. */
export interface Suspect {
  readonly name: string
  /** True if it is an error only for the name of a template. */
  readonly isCall?: boolean
  readonly problem: () => Problem
}

/** The names that are in scope at a place in a template. The names of the module are complete only at its end. */
export class Scope {
  readonly #names: string[] = []
  /** The number of names that are parameters. The following ones belong to blocks. */
  #parameterCount = 0
  #depth = 0
  /** How many nested blocks have bound each name. */
  readonly #counts = new Map<string, number>()
  readonly suspects: Suspect[] = []

  /**
   * Adds the names that are bound by parameters, or by a declaration. The tokens of a declaration begin with its first
   * word.
   */
  bind(tokens: Iterable<Token>): void {
    for (const name of findBoundNames(tokens)) this.add(name)
  }

  add(name: string): void {
    this.#names.push(name)
    if (this.#depth === 0) this.#parameterCount = this.#names.length
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  /** Calls `read`, and then removes the names that `read` has added. */
  runInBlock<T>(read: () => T): T {
    const { length } = this.#names
    this.#depth++
    try {
      return read()
    } finally {
      this.#depth--
      for (const name of this.#names.splice(length)) this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1)
    }
  }

  /**
   * Throws for a quoted value with a name in scope between braces. Attributes of htmx, Alpine and Vue have braces of
   * their own.
   */
  checkValue(attribute: string, start: number, value: string): void {
    const name = attribute.toLowerCase()
    const base = name.replace(/^data-/, "")
    if (/^(?:hx-|x-|v-|:|@)/.test(base)) return
    const isCode = getAttributeKind("", name) === "code"
    const isScript = isCode && base !== "srcdoc" && !/^\{[^{}]*\}$/.test(value)
    const explain = (word: string): readonly [message: string, fix: string] => {
      const message = `a quoted value is literal, and "${word}" is not read in it`
      if (name === "style") return [message, objectFix]
      const code = value === `{${word}}` ? word : `\`${value.replace(/\$?\{([^{}]*)\}/g, "$" + "{$1}")}\``
      const fix = isCode ? findAttributeFix(name) : `Write ${attribute}={${code}}.`
      return [message, `${fix} For the braces themselves write ${attribute}={${JSON.stringify(value)}}.`]
    }
    this.#checkBraces(start, value, explain, isScript ? scriptBracedName : bracedName)
  }

  /** Throws for a style in which a name in scope is between braces. */
  checkStyle(start: number, content: string): void {
    this.#checkBraces(start, content, (word) => [`a <style> is literal, and "${word}" is not read in it`, styleFix])
  }

  /**
   * Records calls in text. Text is printed, so they are errors if they call a template. Throws for a text that is the
   * whole content of a block and names a value in scope.
   *
   * @param source the source of the whole template.
   */
  checkText(start: number, text: string, source: string): void {
    // The text fills its block. So the author probably meant the braces of the block as those of an expression.
    const fillsBlock = source[start - 1] === "{" && source[start + text.length] === "}"
    const [, path = "", value = ""] = (fillsBlock && valuePattern.exec(text)) || []
    // A single letter is probably text, unless a loop or another block has bound it as a name.
    if (path.length > 1 ? this.#counts.get(value) : this.#names.indexOf(path, this.#parameterCount) >= 0) {
      const fix = `These braces are those of the block. Write { {${path}} }. For the text itself write {${JSON.stringify(path)}}.`
      throw new Problem(start + text.indexOf(path), `"${path}" is text here, not the value`, fix)
    }
    for (const match of text.matchAll(callPattern)) {
      const [callSource, first = "", member = "", rest = ""] = match
      if (pluralSuffix.test(`(${rest}`) && callSource !== text.trim()) continue
      const name = `${first}${member}`
      const callText = rest === "" ? `${name}(…)` : callSource
      const problem = (): Problem =>
        new Problem(
          start + match.index,
          `"${callText}" is text here, not a call of the template ${name}`,
          fillsBlock && text.trim() === callSource
            ? `These braces are those of the block. Write { {${callText}} }.`
            : `Write {${callText}}. For the text itself write {${JSON.stringify(callText)}}.`,
        )
      this.suspects.push({ name: member === "" ? first : `${first}.`, isCall: true, problem })
    }
  }

  #checkBraces(
    start: number,
    text: string,
    explain: (name: string) => readonly [message: string, fix: string],
    pattern = bracedName,
  ): void {
    for (const match of text.matchAll(pattern)) {
      const name = match[1] ?? ""
      // The message is made only when it is needed, because it is long and there may be many.
      const problem = (): Problem => new Problem(start + match.index, ...explain(name))
      if (this.#counts.get(name)) throw problem()
      this.suspects.push({ name, problem })
    }
  }
}

/** Yields the tokens from `start` to `end` without comments. Stops at a word of `stops` outside of all brackets. */
export function* readCodeTokens(
  source: string,
  start: number,
  end: number,
  stops: readonly string[] = [],
): Generator<Token> {
  const lexer = new Lexer(source, start)
  for (let token = lexer.next(); token && token.end <= end; token = lexer.next()) {
    if (lexer.openBrackets.length === 0 && stops.includes(token.text)) return
    if (token.kind !== "comment") yield token
  }
}

/**
 * Returns the names that parameters or a declaration bind. If types contain commas, there may be a few names too many.
 */
function findBoundNames(tokens: Iterable<Token>): string[] {
  const names: string[] = []
  let depth = 0
  let expectsName = true
  let isInPattern = false
  let last: Token | undefined
  for (const token of tokens) {
    if (closesBracket(token)) depth--
    if (depth === 0 && closesBracket(token)) isInPattern = false
    if (token.kind === "word" && (expectsName || (isInPattern && /^(?:[{[,:]|\.\.\.)$/.test(last?.text ?? "")))) {
      if (!declarationWords.has(token.text)) names.push(token.text)
      if (!isInPattern && !declarationWords.has(token.text)) expectsName = false
    }
    // In a pattern, the key is before the colon, and the name that it binds comes after it.
    if (isInPattern && token.text === ":" && last?.kind === "word") names.pop()
    if (depth === 0 && expectsName && /^[{[]$/.test(token.text)) {
      isInPattern = true
      expectsName = false
    }
    if (depth === 0 && token.text === ",") expectsName = true
    if (opensBracket(token)) depth++
    last = token
  }
  return names
}

/**
 * Collects the names that a module imports and declares. It gets the tokens outside of brackets one by one.
 */
export class ModuleNames {
  readonly #names = new Set<string>()
  /** The names of templates, including imported ones. The name of a namespace ends with a dot. */
  readonly #templates = new Set<string>()
  #importedNames: string[] = []
  #lastText = ""
  #beforeAs = ""
  #isTypeImport = false
  #mode: "import" | "name" | "declaration" | undefined

  /** Returns true if the module has the name that a suspect uses. */
  has({ name, isCall }: Suspect): boolean {
    return (isCall ? this.#templates : this.#names).has(name)
  }

  /** Adds a template of the module. */
  addTemplate(name: string): void {
    this.#names.add(name)
    this.#templates.add(name)
  }

  /** Reads the next token. `depth` is the number of open brackets. */
  readToken({ kind, text }: Token, depth: number): void {
    if (this.#mode === "import") this.#readImport(kind, text)
    this.#lastText = text
    if (kind === "string" || text === ";" || text === "=" || (this.#mode === "name" && text === "("))
      this.#mode = undefined
    if (kind !== "word") return
    if (this.#mode === "import" || (this.#mode === "declaration" && depth <= 1)) {
      if (!importWords.has(text)) this.#names.add(text)
      if (this.#mode === "declaration" && depth === 0) this.#mode = undefined
    } else if (this.#mode === "name" && depth === 0) {
      this.#names.add(text)
      this.#mode = undefined
    } else if (depth === 0) {
      this.#mode =
        text === "import"
          ? "import"
          : namedDeclarationWords.has(text)
            ? "name"
            : declarationWords.has(text)
              ? "declaration"
              : undefined
      if (this.#mode === "import") this.#importedNames = []
    }
  }

  /** Collects the names of an import. After its module is read, it is known whether they are templates. */
  #readImport(kind: Token["kind"], text: string): void {
    if (text === "as") this.#beforeAs = this.#lastText
    if (kind === "string" && /\.tpl(?:\.[jt]s)?["']$/.test(text))
      for (const name of this.#importedNames) this.#templates.add(name)
    const isType = this.#lastText === "type"
    if (isType && text === "{") this.#isTypeImport = true
    if (this.#lastText === "}" || kind === "string") this.#isTypeImport = false
    if (kind !== "word" || importWords.has(text) || isType || this.#isTypeImport) return
    // An import under another name binds only that name. `*` is not a name.
    const isRenamed = this.#lastText === "as"
    const isNamespace = isRenamed && this.#beforeAs === "*"
    if (isRenamed && !isNamespace) this.#importedNames.pop()
    this.#importedNames.push(isNamespace ? `${text}.` : text)
  }
}

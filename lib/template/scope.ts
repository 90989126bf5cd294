/**
 * The names in scope at a place in a template. They are refused between braces in literal places, such as a
 * quoted attribute or a style, where they would be printed unchanged.
 */

import { attributeKind } from "../html/attributes.ts"
import { closes, opens } from "./brackets.ts"
import { fixFor } from "./context.ts"
import { Problem } from "./diagnostic.ts"
import { Lexer, type Token } from "./lexer.ts"

const identifier = "[\\p{ID_Start}$_][\\p{ID_Continue}$\\u200c\\u200d]*"
/**
 * `{name}` and expressions that begin with a name, such as `{user.name}`; not an object, whose name has a
 * colon after it.
 */
const braces = new RegExp(`\\{\\s*(${identifier})\\s*(?=[}.?!([])`, "gu")
/** The same in a script, where other braces are blocks, and those of a pattern declare the name: `const { a } = b`, `({ a }) => b`. */
const scriptBraces = new RegExp(
  `\\{(?<!\\b(?:const|let|var)\\s*\\{)\\s*(${identifier})(?:\\.${identifier})*\\s*\\}(?!\\s*(?:=(?!=)|\\)\\s*=>))`,
  "gu",
)
/** The fix for a value in a style. */
export const styleFix = "Set a custom property, style={{ '--name': value }}, and use var(--name) here."
/** The fix for a value in the attribute `style`. */
const objectFix = "Write an object, such as style={{ color: value }}."
const declares = new Set("const let var".split(" "))
const names = new Set("function class enum namespace".split(" "))
const notNames = new Set("from as type default".split(" "))

/** `Row(task)` or `ui.Row(task)`, with the name before the dot; not the end of a longer name. */
const call = new RegExp(
  `(?<![\\p{ID_Continue}$.])(${identifier})(\\.${identifier})?\\(([^()\\n]{0,80}\\))?`,
  "gu",
)
/** A text that is only a name, or a value that begins with one, such as `user.name` or `rows[0]?.id`. */
const namedValue = new RegExp(
  `^\\s*((${identifier})(?:!?\\??\\.${identifier}|!?(?:\\?\\.)?\\[[^\\][\\n]{1,80}\\])*)\\s*$`,
  "u",
)
/** A plural in prose, as in "3 Task(s)". */
const plural = /^\((?:s|es|e?n)\)$/

/** A name in literal text, which is an error if it turns out to be a name of the module. */
export interface Suspect {
  readonly name: string
  /** True if only the name of a template is an error. */
  readonly called?: boolean
  readonly problem: () => Problem
}

/** The names in scope at a place in a template. Names of the module are known only after all of it is read. */
export class Scope {
  readonly #names: string[] = []
  /** The number of names that do not come from a block: those of the parameters. */
  #parameters = 0
  #depth = 0
  /** Number of bindings of each name in nested blocks. */
  readonly #counts = new Map<string, number>()
  readonly suspects: Suspect[] = []

  /** Adds the names that parameters bind, or a declaration with its first word. */
  bind(tokens: Iterable<Token>): void {
    for (const name of boundNames(tokens)) this.add(name)
  }

  add(name: string): void {
    this.#names.push(name)
    if (this.#depth === 0) this.#parameters = this.#names.length
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  /** Calls `read`, then removes the names that it added. */
  inside<T>(read: () => T): T {
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
   * Throws for a quoted value with a name in scope between braces; htmx, Alpine and Vue have their own
   * braces.
   */
  checkValue(attribute: string, start: number, value: string): void {
    const name = attribute.toLowerCase()
    const base = name.replace(/^data-/, "")
    if (/^(?:hx-|x-|v-|:|@)/.test(base)) return
    const isCode = attributeKind("", name) === "code"
    const isScript = isCode && base !== "srcdoc" && !/^\{[^{}]*\}$/.test(value)
    const explain = (word: string): readonly [message: string, fix: string] => {
      const message = `a quoted value is literal, and "${word}" is not read in it`
      if (name === "style") return [message, objectFix]
      const code = value === `{${word}}` ? word : `\`${value.replace(/\$?\{([^{}]*)\}/g, "$" + "{$1}")}\``
      const fix = isCode ? fixFor(name) : `Write ${attribute}={${code}}.`
      return [message, `${fix} For the braces themselves write ${attribute}={${JSON.stringify(value)}}.`]
    }
    this.#check(start, value, explain, isScript ? scriptBraces : braces)
  }

  /** Throws for a style with a name in scope between braces. */
  checkStyle(start: number, content: string): void {
    this.#check(start, content, (word) => [`a <style> is literal, and "${word}" is not read in it`, styleFix])
  }

  /**
   * Notes the calls in a text, which would be printed. They are errors if what they call is a template. Throws for a text that
   * is all of a block and names a value in scope.
   *
   * @param source the whole template.
   */
  checkText(start: number, text: string, source: string): void {
    // The text is all that a block has: its braces look like those of the call.
    const isWhole = source[start - 1] === "{" && source[start + text.length] === "}"
    const [, path = "", value = ""] = (isWhole && namedValue.exec(text)) || []
    // The single letter of a parameter is more often a text, and that of a loop is not.
    if (path.length > 1 ? this.#counts.get(value) : this.#names.indexOf(path, this.#parameters) >= 0) {
      const fix = `These braces are those of the block. Write { {${path}} }. For the text itself write {${JSON.stringify(path)}}.`
      throw new Problem(start + text.indexOf(path), `"${path}" is text here, not the value`, fix)
    }
    for (const found of text.matchAll(call)) {
      const [written, first = "", member = "", rest = ""] = found
      if (plural.test(`(${rest}`) && written !== text.trim()) continue
      const name = `${first}${member}`
      const shown = rest === "" ? `${name}(…)` : written
      const problem = (): Problem =>
        new Problem(
          start + found.index,
          `"${shown}" is text here, not a call of the template ${name}`,
          isWhole && text.trim() === written
            ? `These braces are those of the block. Write { {${shown}} }.`
            : `Write {${shown}}. For the text itself write {${JSON.stringify(shown)}}.`,
        )
      this.suspects.push({ name: member === "" ? first : `${first}.`, called: true, problem })
    }
  }

  #check(
    start: number,
    text: string,
    explain: (name: string) => readonly [message: string, fix: string],
    pattern = braces,
  ): void {
    for (const found of text.matchAll(pattern)) {
      const name = found[1] ?? ""
      // The message is built only when it is needed, because it is long and there may be many.
      const problem = (): Problem => new Problem(start + found.index, ...explain(name))
      if (this.#counts.get(name)) throw problem()
      this.suspects.push({ name, problem })
    }
  }
}

/** Yields the tokens from `start` to `end`, without comments, or to a word of `stops` outside all brackets. */
export function* tokensOf(
  source: string,
  start: number,
  end: number,
  stops: readonly string[] = [],
): Generator<Token> {
  const lexer = new Lexer(source, start)
  for (let token = lexer.next(); token && token.end <= end; token = lexer.next()) {
    if (lexer.open.length === 0 && stops.includes(token.text)) return
    if (token.kind !== "comment") yield token
  }
}

/**
 * Returns the names of a list of parameters or of a declaration, and a few too many if types contain commas.
 */
function boundNames(tokens: Iterable<Token>): string[] {
  const found: string[] = []
  let depth = 0
  let expects = true
  let pattern = false
  let last: Token | undefined
  for (const token of tokens) {
    if (closes(token)) depth--
    if (depth === 0 && closes(token)) pattern = false
    if (token.kind === "word" && (expects || (pattern && /^(?:[{[,:]|\.\.\.)$/.test(last?.text ?? "")))) {
      if (!declares.has(token.text)) found.push(token.text)
      if (!pattern && !declares.has(token.text)) expects = false
    }
    // In a pattern, a key is followed by the name that it is bound to.
    if (pattern && token.text === ":" && last?.kind === "word") found.pop()
    if (depth === 0 && expects && /^[{[]$/.test(token.text)) {
      pattern = true
      expects = false
    }
    if (depth === 0 && token.text === ",") expects = true
    if (opens(token)) depth++
    last = token
  }
  return found
}

/**
 * Collects the names of a module's imports and declarations from the tokens outside of brackets, one by one.
 */
export class ModuleNames {
  readonly #names = new Set<string>()
  /** Templates, also imported ones; a namespace has a dot after its name. */
  readonly #templates = new Set<string>()
  #imported: string[] = []
  #last = ""
  #beforeAs = ""
  #isType = false
  #mode: "import" | "name" | "declaration" | undefined

  /** Returns true if the module has what a suspect names. */
  has({ name, called }: Suspect): boolean {
    return (called ? this.#templates : this.#names).has(name)
  }

  /** Adds a template of the module. */
  add(name: string): void {
    this.#names.add(name)
    this.#templates.add(name)
  }

  /** Adds the next token; `depth` counts the brackets around it. */
  read({ kind, text }: Token, depth: number): void {
    if (this.#mode === "import") this.#readImport(kind, text)
    this.#last = text
    if (kind === "string" || text === ";" || text === "=" || (this.#mode === "name" && text === "("))
      this.#mode = undefined
    if (kind !== "word") return
    if (this.#mode === "import" || (this.#mode === "declaration" && depth <= 1)) {
      if (!notNames.has(text)) this.#names.add(text)
      if (this.#mode === "declaration" && depth === 0) this.#mode = undefined
    } else if (this.#mode === "name" && depth === 0) {
      this.#names.add(text)
      this.#mode = undefined
    } else if (depth === 0) {
      this.#mode =
        text === "import"
          ? "import"
          : names.has(text)
            ? "name"
            : declares.has(text)
              ? "declaration"
              : undefined
      if (this.#mode === "import") this.#imported = []
    }
  }

  /** Collects the values that an import names, until its module says whether they are templates. */
  #readImport(kind: Token["kind"], text: string): void {
    if (text === "as") this.#beforeAs = this.#last
    if (kind === "string" && /\.tpl(?:\.[jt]s)?["']$/.test(text))
      for (const name of this.#imported) this.#templates.add(name)
    const isType = this.#last === "type"
    if (isType && text === "{") this.#isType = true
    if (this.#last === "}" || kind === "string") this.#isType = false
    if (kind !== "word" || notNames.has(text) || isType || this.#isType) return
    // What is imported under another name has only that one. "*" is not a word.
    const isRenamed = this.#last === "as"
    const isNamespace = isRenamed && this.#beforeAs === "*"
    if (isRenamed && !isNamespace) this.#imported.pop()
    this.#imported.push(isNamespace ? `${text}.` : text)
  }
}

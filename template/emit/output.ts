/**
 * Collects the statements of a template: copied code, and literal text, of which as much as possible is joined to one
 * string.
 */

import { mayLoadAssets } from "../../lib/html/asset-tags.ts"
import type { Code, Markup } from "../ast.ts"
import type { Language } from "../check/elements.ts"
import { quote } from "./quote.ts"
import type { Writer } from "./writer.ts"

/** Writes the body of a function that appends text to a variable. */
export class Output {
  readonly writer: Writer
  readonly #helpers: Set<string>
  readonly #writeMarkup: (markup: Markup) => void
  readonly #language: Language
  #indent = 1
  /** Literal text that is not written yet, because more may follow. */
  #pendingText = ""
  /** The variable to which text is appended. */
  #variable = "$fw"
  /** True after the variable has got its first value. */
  #isAssigned = false
  /** True if the first value must be written with `let`. */
  #needsLet = true
  #localCount = 0
  /** See {@link collectorArgument}. */
  #collectorArgument = ""

  /**
   * Creates an empty body.
   *
   * @param helpers collects the names of helpers that the code calls.
   * @param writeMarkup writes markup that is inside an expression.
   */
  constructor(writer: Writer, helpers: Set<string>, writeMarkup: (markup: Markup) => void, language: Language) {
    this.#language = language
    this.writer = writer
    this.#helpers = helpers
    this.#writeMarkup = writeMarkup
  }

  /** Adds a helper to the imports, and returns its name. */
  useHelper(name: string): string {
    this.#helpers.add(name)
    return name
  }

  /** Copies code in such a way that it cannot change the meaning of the code after it. */
  copyCode(code: Code): void {
    let from = code.start
    const isUnfinished = code.missingClosers !== undefined
    for (const markup of code.markup) {
      this.writer.copy(from, markup.start, isUnfinished)
      this.#writeMarkup(markup)
      from = markup.end
    }
    this.writer.copy(from, code.end, isUnfinished)
    if (code.hasLineComment) this.writer.write("\n", code.end)
    if (code.missingClosers) this.writer.write(code.missingClosers, code.end)
  }

  /** Copies code so that it stays a single argument. */
  copyArgument(code: Code): void {
    if (code.hasCommas) this.writer.write("(", code.start)
    this.copyCode(code)
    if (code.hasCommas) this.writer.write(")", code.end)
  }

  /** Writes the beginning of a line. */
  beginLine(text: string, anchor: number): void {
    this.writer.write("  ".repeat(this.#indent) + text, anchor)
  }

  /** Writes the end of a statement. */
  endStatement(text: string, anchor: number): void {
    this.writer.write(`${text};\n`, anchor)
  }

  /** Calls `write` with a deeper indentation. */
  writeIndented(write: () => void): void {
    this.#indent++
    write()
    this.#indent--
  }

  /** Adds literal text. */
  addLiteral(text: string): void {
    this.#pendingText += text
  }

  /**
   * Writes the beginning of a statement that appends the literal text and then a value. They are not joined with `+`,
   * because V8 would first make a string of both.
   */
  beginAppend(anchor: number): void {
    if (this.#pendingText === "" || !this.#isAssigned) {
      this.flush(anchor)
      this.beginLine(`${this.#assignable} += `, anchor)
    } else {
      this.beginLine(`${this.#assignable} = ${this.#variable} + ${this.#takePendingText()} + `, anchor)
    }
  }

  /**
   * The variable, as it is written on the left of an assignment. TypeScript records assignments to a plain name, and
   * looks at all of them again for each name in a later value. It does not record this form.
   */
  get #assignable(): string {
    return `(${this.#variable} as string)`
  }

  /**
   * Writes the literal text that is waiting. It must be written before code that may run several times, or not at all.
   */
  flush(anchor: number): void {
    if (this.#isAssigned && this.#pendingText === "") return
    const first = !this.#isAssigned && this.#needsLet ? `let ${this.#variable} ` : `${this.#assignable} `
    this.beginLine(`${first}${this.#isAssigned ? "+= " : "= "}`, anchor)
    this.endStatement(this.#takePendingText(), anchor)
    this.#isAssigned = true
  }

  /**
   * Returns an expression for the literal text that was waiting. At run time, paths of files in it are replaced by
   * their URLs.
   */
  #takePendingText(): string {
    const text = this.#pendingText
    this.#pendingText = ""
    return this.#language === "html" && mayLoadAssets(text)
      ? `${this.useHelper("$fwAssets")}(${quote(text)})`
      : quote(text)
  }

  /** Writes a statement that appends the value of an expression. */
  appendExpression(expression: string, anchor: number): void {
    this.beginLine(`${this.#assignable} += ${expression}`, anchor)
  }

  /** Writes the body of a block, including all its literal text. */
  writeBody(write: () => void, anchor: number): void {
    this.writeIndented(() => {
      write()
      this.flush(anchor)
    })
  }

  /** Writes a statement that appends a variable. */
  appendVariable(name: string, anchor: number): void {
    this.beginAppend(anchor)
    this.endStatement(name, anchor)
  }

  /** Declares a constant for the result of a helper. Returns its name. */
  declareConstant(helper: string, code: Code): string {
    const name = `$fw${++this.#localCount}`
    this.beginLine(`const ${name} = ${this.useHelper(helper)}(`, code.start)
    this.copyArgument(code)
    this.writer.write(");\n", code.end)
    return name
  }

  /** Declares a variable. Returns its name. */
  declareVariable(value: string, anchor: number): string {
    const name = `$fw${++this.#localCount}`
    this.beginLine(`let ${name} = ${value};\n`, anchor)
    return name
  }

  /** Writes an assignment to a variable of {@link declareVariable}, inside of a block. */
  assignInBlock(name: string, value: string, anchor: number): void {
    this.beginLine(`  ${name} = ${value};\n`, anchor)
  }

  /** Makes another variable the current one. Returns a function that switches back. */
  #switchVariable(target: string, needsLet: boolean): () => void {
    const previous = [this.#variable, this.#isAssigned, this.#needsLet] as const
    this.#variable = target
    this.#isAssigned = false
    this.#needsLet = needsLet
    return () => {
      ;[this.#variable, this.#isAssigned, this.#needsLet] = previous
    }
  }

  /** Makes the variable of an inner function the current one. Returns a function that switches back. */
  #enterFunction(): () => void {
    const restore = this.#switchVariable(`$fw${++this.#localCount}`, true)
    const previous = [this.#pendingText, this.#collectorArgument] as const
    this.#pendingText = ""
    return () => {
      ;[this.#pendingText, this.#collectorArgument] = previous
      restore()
    }
  }

  /** Calls `write` so that its text goes to a variable of its own. Returns the name of the variable. */
  writeToVariable(write: () => void, anchor: number): string {
    this.flush(anchor)
    const name = `$fw${++this.#localCount}`
    const restore = this.#switchVariable(name, false)
    this.beginLine(`let ${name}!: string;\n`, anchor)
    this.beginLine("{\n", anchor)
    this.writeBody(write, anchor)
    this.beginLine("}\n", anchor)
    restore()
    return name
  }

  /** The argument that passes the collector of deferred blocks to helpers; `""` if there is none. */
  get collectorArgument(): string {
    return this.#collectorArgument
  }

  /**
   * Declares a map that collects the deferred blocks in printed markup. A function that awaits needs its own map,
   * because other templates run in the meantime.
   */
  declareCollector(anchor: number): void {
    this.beginLine(`const $fwBlocks = ${this.useHelper("$fwCollect")}();\n`, anchor)
    this.#collectorArgument = ", $fwBlocks"
  }

  /** Writes an async function that returns the text which `write` adds. It becomes part of a statement. */
  writeAsyncFunction(write: () => void, parameter: () => void, anchor: number): void {
    const restore = this.#enterFunction()
    this.writer.write("async (", anchor)
    parameter()
    this.writer.write(") => {\n", anchor)
    this.writeIndented(() => {
      this.declareCollector(anchor)
      write()
      this.beginLine(`return $fwRaw(${this.toOutputExpression()}${this.#collectorArgument});\n`, anchor)
    })
    this.beginLine("}", anchor)
    restore()
  }

  /** Writes an expression whose value is the text which `write` adds, as `Html`. It becomes part of a statement. */
  writeInline(write: () => void, form: "literal" | "sync" | "async", anchor: number): void {
    const restore = this.#enterFunction()
    if (form === "literal") {
      write()
      this.writer.write(`$fwRaw(${this.toOutputExpression()})`, anchor)
    } else {
      // The expression contains statements, so it is a function that is called immediately.
      this.writer.write(form === "async" ? "(await (async () => {\n" : "(() => {\n", anchor)
      this.writeIndented(() => {
        this.writeIndented(write)
        this.beginLine(`  return $fwRaw(${this.toOutputExpression()}${this.#collectorArgument});\n`, anchor)
      })
      this.beginLine(form === "async" ? "})())" : "})()", anchor)
    }
    restore()
  }

  /** Returns an expression for the complete text. */
  toOutputExpression(): string {
    const rest = this.#pendingText === "" ? undefined : this.#takePendingText()
    return this.#isAssigned ? (rest ? `${this.#variable} + ${rest}` : this.#variable) : (rest ?? '""')
  }
}

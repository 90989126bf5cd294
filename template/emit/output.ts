/**
 * The statements of a template while they are written: copied code, and literal text that is joined with the
 * text after it.
 */

import { mayLoadAssets } from "../../lib/html/asset-tags.ts"
import type { Code, Markup } from "../ast.ts"
import type { Language } from "../check/elements.ts"
import { quote } from "./quote.ts"
import type { Writer } from "./writer.ts"

/** The body of a function that appends to a variable. */
export class Output {
  readonly writer: Writer
  readonly #helpers: Set<string>
  readonly #writeMarkup: (markup: Markup) => void
  readonly #language: Language
  #indent = 1
  /** Literal output that is not written yet, because more may follow. */
  #pendingText = ""
  /** Variable that output is appended to. */
  #variable = "$fw"
  /** True once it has its first value. */
  #isAssigned = false
  /** True if its `let` is written with its first value. */
  #needsLet = true
  #localCount = 0
  /** Further argument of helpers that print or make markup, in functions that await. */
  #collectorArgument = ""

  /**
   * Creates the lines of a function's body.
   *
   * @param helpers collects the names of the helpers that the code calls.
   * @param markup writes the nodes of markup in an expression.
   */
  constructor(writer: Writer, helpers: Set<string>, markup: (markup: Markup) => void, language: Language) {
    this.#language = language
    this.writer = writer
    this.#helpers = helpers
    this.#writeMarkup = markup
  }

  /** Returns the name of a helper, and adds it to the imports. */
  useHelper(name: string): string {
    this.#helpers.add(name)
    return name
  }

  /** Copies code so that nothing in it affects the code after it. */
  copyCode(code: Code): void {
    let from = code.start
    const unfinished = code.missingClosers !== undefined
    for (const markup of code.markup) {
      this.writer.copy(from, markup.start, unfinished)
      this.#writeMarkup(markup)
      from = markup.end
    }
    this.writer.copy(from, code.end, unfinished)
    if (code.hasLineComment) this.writer.write("\n", code.end)
    if (code.missingClosers) this.writer.write(code.missingClosers, code.end)
  }

  /** Copies code as one argument. */
  copyArgument(code: Code): void {
    if (code.hasCommas) this.writer.write("(", code.start)
    this.copyCode(code)
    if (code.hasCommas) this.writer.write(")", code.end)
  }

  /** Begins a line. */
  beginLine(text: string, anchor: number): void {
    this.writer.write("  ".repeat(this.#indent) + text, anchor)
  }

  /** Ends a statement. */
  endStatement(text: string, anchor: number): void {
    this.writer.write(`${text};\n`, anchor)
  }

  /** Writes with more indentation. */
  writeIndented(write: () => void): void {
    this.#indent++
    write()
    this.#indent--
  }

  /** Adds literal output. */
  addLiteral(text: string): void {
    this.#pendingText += text
  }

  /**
   * Begins a statement that appends the pending literal text and a value to the output. It is not `$fw += "text" + value`,
   * because V8 joins these to a string first.
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
   * The variable where it is assigned. TypeScript notes the assignments of names, and looks at each one again for each name in a
   * later value. It does not note this form.
   */
  get #assignable(): string {
    return `(${this.#variable} as string)`
  }

  /** Writes the pending literal text, before code that may run several times or not at all. */
  flush(anchor: number): void {
    if (this.#isAssigned && this.#pendingText === "") return
    const first = !this.#isAssigned && this.#needsLet ? `let ${this.#variable} ` : `${this.#assignable} `
    this.beginLine(`${first}${this.#isAssigned ? "+= " : "= "}`, anchor)
    this.endStatement(this.#takePendingText(), anchor)
    this.#isAssigned = true
  }

  /** Returns the expression for the pending literal text, which is written then. Files get their URLs when it is printed. */
  #takePendingText(): string {
    const text = this.#pendingText
    this.#pendingText = ""
    return this.#language === "html" && mayLoadAssets(text)
      ? `${this.useHelper("$fwAssets")}(${quote(text)})`
      : quote(text)
  }

  /** Begins a statement that appends the value of an expression to the output. */
  appendExpression(expression: string, anchor: number): void {
    this.beginLine(`${this.#assignable} += ${expression}`, anchor)
  }

  /** Writes the body of a block, with all its literal text. */
  writeBody(write: () => void, anchor: number): void {
    this.writeIndented(() => {
      write()
      this.flush(anchor)
    })
  }

  /** Appends the value of a variable to the output. */
  appendVariable(name: string, anchor: number): void {
    this.beginAppend(anchor)
    this.endStatement(name, anchor)
  }

  /** Declares a constant for the result of a helper, and returns its name. */
  declareConstant(helper: string, code: Code): string {
    const name = `$fw${++this.#localCount}`
    this.beginLine(`const ${name} = ${this.useHelper(helper)}(`, code.start)
    this.copyArgument(code)
    this.writer.write(");\n", code.end)
    return name
  }

  /** Declares a variable and returns its name. */
  declareVariable(value: string, anchor: number): string {
    const name = `$fw${++this.#localCount}`
    this.beginLine(`let ${name} = ${value};\n`, anchor)
    return name
  }

  /** Assigns a value to such a variable, in a block. */
  assignInBlock(name: string, value: string, anchor: number): void {
    this.beginLine(`  ${name} = ${value};\n`, anchor)
  }

  /** Continues with another variable. Returns the function that switches back. */
  #switchVariable(target: string, needsLet: boolean): () => void {
    const before = [this.#variable, this.#isAssigned, this.#needsLet] as const
    this.#variable = target
    this.#isAssigned = false
    this.#needsLet = needsLet
    return () => {
      ;[this.#variable, this.#isAssigned, this.#needsLet] = before
    }
  }

  /** Continues with the variable of a function inside this one. Returns the function that switches back. */
  #enterFunction(): () => void {
    const restore = this.#switchVariable(`$fw${++this.#localCount}`, true)
    const before = [this.#pendingText, this.#collectorArgument] as const
    this.#pendingText = ""
    return () => {
      ;[this.#pendingText, this.#collectorArgument] = before
      restore()
    }
  }

  /** Writes into a separate variable, in its own block, and returns its name. */
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

  /** Further argument of helpers that print or make markup: the collector of the deferred blocks; "" without one. */
  get collectorArgument(): string {
    return this.#collectorArgument
  }

  /**
   * Declares the collector of the deferred blocks of printed markup. A function that awaits needs its own, because
   * others run meanwhile.
   */
  declareCollector(anchor: number): void {
    this.beginLine(`const $fwBlocks = ${this.useHelper("$fwCollect")}();\n`, anchor)
    this.#collectorArgument = ", $fwBlocks"
  }

  /** Writes, in the middle of a statement, an async function that returns the output of `write`. */
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

  /** Writes, in the middle of a statement, an expression of type `Html` for the output of `write`. */
  writeInline(write: () => void, form: "literal" | "sync" | "async", anchor: number): void {
    const restore = this.#enterFunction()
    if (form === "literal") {
      write()
      this.writer.write(`$fwRaw(${this.toOutputExpression()})`, anchor)
    } else {
      // A function that is called at once, so that it can contain statements.
      this.writer.write(form === "async" ? "(await (async () => {\n" : "(() => {\n", anchor)
      this.writeIndented(() => {
        this.writeIndented(write)
        this.beginLine(`  return $fwRaw(${this.toOutputExpression()}${this.#collectorArgument});\n`, anchor)
      })
      this.beginLine(form === "async" ? "})())" : "})()", anchor)
    }
    restore()
  }

  /** Returns the expression for the whole output, at its end. */
  toOutputExpression(): string {
    const rest = this.#pendingText === "" ? undefined : this.#takePendingText()
    return this.#isAssigned ? (rest ? `${this.#variable} + ${rest}` : this.#variable) : (rest ?? '""')
  }
}

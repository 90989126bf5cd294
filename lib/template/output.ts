/**
 * The statements of a template while they are written: copied code, and literal text that is joined with the
 * text after it.
 */

import type { Code, Markup } from "./ast.ts"
import { quote } from "./quote.ts"
import type { Writer } from "./writer.ts"

/** The body of a function that appends to a variable. */
export class Output {
  readonly writer: Writer
  readonly #helpers: Set<string>
  readonly #markup: (markup: Markup) => void
  /** Literal output that is not written yet, because more may follow. */
  #pending = ""
  /** Variable that output is appended to. */
  #target = "$fw"
  /** True from its first value on. */
  #assigned = false
  /** True if its `let` is written with its first value. */
  #needsLet = true
  #locals = 0
  #indent = 1
  /** Further argument of helpers that print or make markup, in functions that await. */
  #collected = ""
  /** Variables that are declared, for `apart`. */
  readonly #spare: string[] = []
  /** The text before the next statement where statements are joined to one expression; undefined elsewhere. */
  #join: "" | ", " | undefined

  /**
   * Creates the output.
   *
   * @param helpers collects the names of the helpers that the code calls.
   * @param markup writes the nodes of markup in an expression.
   */
  constructor(writer: Writer, helpers: Set<string>, markup: (markup: Markup) => void) {
    this.writer = writer
    this.#helpers = helpers
    this.#markup = markup
  }

  /** Returns the name of a helper, and adds it to the imports. */
  helper(name: string): string {
    this.#helpers.add(name)
    return name
  }

  /** Adds literal output. */
  literal(text: string): void {
    this.#pending += text
  }

  /** Copies code so that nothing in it affects the code after it. */
  code(code: Code): void {
    let from = code.start
    const unfinished = code.missing !== undefined
    for (const markup of code.markup) {
      this.writer.copy(from, markup.start, unfinished)
      this.#markup(markup)
      from = markup.end
    }
    this.writer.copy(from, code.end, unfinished)
    if (code.lineComment) this.writer.write("\n", code.end)
    if (code.missing) this.writer.write(code.missing, code.end)
  }

  /** Copies code as one argument. */
  argument(code: Code): void {
    if (code.commas) this.writer.write("(", code.start)
    this.code(code)
    if (code.commas) this.writer.write(")", code.end)
  }

  /** Begins a line. */
  line(text: string, anchor: number): void {
    this.writer.write("  ".repeat(this.#indent) + text, anchor)
  }

  /** Begins a statement that may be joined to the one before it. */
  statement(text: string, anchor: number): void {
    this.line(`${this.#join ?? ""}${text}`, anchor)
    if (this.#join === "") this.#join = ", "
  }

  /** Ends such a statement. */
  end(text: string, anchor: number): void {
    this.writer.write(`${text}${this.#join === undefined ? ";" : ""}\n`, anchor)
  }

  /** True where statements are joined to one expression. */
  get isJoined(): boolean {
    return this.#join !== undefined
  }

  /** Declares some of the variables of `apart`, for statements that are joined. */
  declare(count: number, anchor: number): void {
    for (let left = count; left > 0; left--) this.#spare.push(`$fw${++this.#locals}`)
    if (count > 0) this.line(`let ${this.#spare.map((name) => `${name}!: string`).join(", ")};\n`, anchor)
  }

  /** Writes the statements of a block as one expression, between parentheses that the caller writes. */
  joined(write: () => void, anchor: number): void {
    const outer = this.#join
    this.#join = ""
    this.body(write, anchor)
    if (this.#join === "") this.line("  0\n", anchor)
    this.#join = outer
  }

  /**
   * Begins a statement that appends the pending literal text and a value to the output. It is not `$fw += "text" + value`,
   * because V8 joins these to a string first.
   */
  begin(anchor: number): void {
    if (this.#pending === "" || !this.#assigned) {
      this.flush(anchor)
      this.statement(`${this.#place} += `, anchor)
    } else this.statement(`${this.#place} = ${this.#appended()} + `, anchor)
  }

  /**
   * The variable where it is assigned. TypeScript notes the assignments of names, and looks at each one again for each name in a
   * later value. It does not note this form.
   */
  get #place(): string {
    return `(${this.#target} as string)`
  }

  /** Returns the output with the pending literal text, which is written then. */
  #appended(): string {
    const literal = this.#pending
    this.#pending = ""
    return literal === "" ? this.#target : `${this.#target} + ${quote(literal)}`
  }

  /** Begins a statement that replaces the output by what a helper makes of it, of an argument, and of arguments that follow. */
  extend(helper: string, argument: string, anchor: number, codeAnchor: number): void {
    if (!this.#assigned) this.flush(anchor)
    this.statement(`${this.#place} = `, anchor)
    this.writer.write(`${this.helper(helper)}(${this.#appended()}, ${argument}, `, codeAnchor)
  }

  /** The assignment of the first value. TypeScript notes a `let` with a value like an assignment; a template has one. */
  get #first(): string {
    if (this.#target === "$fw") return "let $fw = "
    return `${this.#needsLet ? `let ${this.#target}!: string; ` : ""}${this.#place} = `
  }

  /** Writes the pending literal text, before code that may run several times or not at all. */
  flush(anchor: number): void {
    if (this.#assigned && this.#pending === "") return
    this.statement(this.#assigned ? `${this.#place} += ` : this.#first, anchor)
    this.end(quote(this.#pending), anchor)
    this.#pending = ""
    this.#assigned = true
  }

  /** Begins a statement that appends the value of an expression to the output. */
  add(expression: string, anchor: number): void {
    this.statement(`${this.#place} += ${expression}`, anchor)
  }

  /** Writes with more indentation. */
  indented(write: () => void): void {
    this.#indent++
    write()
    this.#indent--
  }

  /** Writes the body of a block, with all its literal text. */
  body(write: () => void, anchor: number): void {
    this.indented(() => {
      write()
      this.flush(anchor)
    })
  }

  /** Appends the value of a variable to the output. */
  value(name: string, anchor: number): void {
    this.begin(anchor)
    this.end(name, anchor)
  }

  /** Declares a constant for the result of a helper, and returns its name. */
  constant(helper: string, code: Code): string {
    const name = `$fw${++this.#locals}`
    this.line(`const ${name} = ${this.helper(helper)}(`, code.start)
    this.argument(code)
    this.writer.write(");\n", code.end)
    return name
  }

  /** Declares a variable and returns its name. */
  local(value: string, anchor: number): string {
    const name = `$fw${++this.#locals}`
    this.line(`let ${name} = ${value};\n`, anchor)
    return name
  }

  /** Assigns a value to such a variable, in a block. */
  assign(name: string, value: string, anchor: number): void {
    this.line(`  ${name} = ${value};\n`, anchor)
  }

  /** Goes on with another variable. Returns the function that comes back. */
  #begins(target: string, needsLet: boolean): () => void {
    const before = [this.#target, this.#assigned, this.#needsLet] as const
    this.#target = target
    this.#assigned = false
    this.#needsLet = needsLet
    return () => {
      ;[this.#target, this.#assigned, this.#needsLet] = before
    }
  }

  /** Goes on with the variable of a function inside this one. Returns the function that comes back. */
  #inFunction(): () => void {
    const back = this.#begins(`$fw${++this.#locals}`, true)
    const before = [this.#pending, this.#join, this.#collected] as const
    this.#pending = ""
    this.#join = undefined
    return () => {
      ;[this.#pending, this.#join, this.#collected] = before
      back()
    }
  }

  /** Writes into a separate variable, in its own block, and returns its name. */
  apart(write: () => void, anchor: number): string {
    this.flush(anchor)
    const name = (this.isJoined && this.#spare.shift()) || `$fw${++this.#locals}`
    const back = this.#begins(name, false)
    const isBlock = !this.isJoined
    if (isBlock) this.line(`let ${name}!: string;\n`, anchor)
    if (isBlock) this.line("{\n", anchor)
    this.body(write, anchor)
    if (isBlock) this.line("}\n", anchor)
    back()
    return name
  }

  /** Further argument of helpers that print or make markup: what collects the deferred blocks; "" without one. */
  get collected(): string {
    return this.#collected
  }

  /**
   * Declares what collects the deferred blocks of printed markup. A function that awaits needs its own, because others run
   * meanwhile.
   */
  collect(anchor: number): void {
    this.line(`const $fwBlocks = ${this.helper("$fwCollect")}();\n`, anchor)
    this.#collected = ", $fwBlocks"
  }

  /** Writes, in the middle of a statement, an async function that returns the output of `write`. */
  later(write: () => void, parameter: () => void, anchor: number): void {
    const back = this.#inFunction()
    this.writer.write("async (", anchor)
    parameter()
    this.writer.write(") => {\n", anchor)
    this.indented(() => {
      this.collect(anchor)
      write()
      this.line(`return $fwRaw(${this.whole()}${this.#collected});\n`, anchor)
    })
    this.line("}", anchor)
    back()
  }

  /** Writes, in the middle of a statement, an expression of type `Html` for the output of `write`. */
  inline(write: () => void, form: "literal" | "sync" | "async", anchor: number): void {
    const back = this.#inFunction()
    if (form === "literal") {
      write()
      this.writer.write(`$fwRaw(${this.whole()})`, anchor)
    } else {
      // A function that is called at once, so that it can contain statements.
      this.writer.write(form === "async" ? "(await (async () => {\n" : "(() => {\n", anchor)
      this.indented(() => {
        this.indented(write)
        this.line(`  return $fwRaw(${this.whole()}${this.#collected});\n`, anchor)
      })
      this.line(form === "async" ? "})())" : "})()", anchor)
    }
    back()
  }

  /** Returns the expression for the whole output, at its end. */
  whole(): string {
    const rest = this.#pending === "" ? undefined : quote(this.#pending)
    return this.#assigned ? (rest ? `${this.#target} + ${rest}` : this.#target) : (rest ?? '""')
  }
}

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
  #indent = 1
  /** Literal output that is not written yet, because more may follow. */
  #pending = ""
  /** Variable that output is appended to. */
  #target = "$fw"
  /** True from its first value on. */
  #assigned = false
  /** True if its `let` is written with its first value. */
  #needsLet = true
  #locals = 0
  /** Further argument of helpers that print or make markup, in functions that await. */
  #collected = ""

  /**
   * Creates the lines of a function's body.
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

  /** Ends a statement. */
  end(text: string, anchor: number): void {
    this.writer.write(`${text};\n`, anchor)
  }

  /** Writes with more indentation. */
  indented(write: () => void): void {
    this.#indent++
    write()
    this.#indent--
  }

  /** Adds literal output. */
  literal(text: string): void {
    this.#pending += text
  }

  /**
   * Begins a statement that appends the pending literal text and a value to the output. It is not `$fw += "text" + value`,
   * because V8 joins these to a string first.
   */
  begin(anchor: number): void {
    if (this.#pending === "" || !this.#assigned) {
      this.flush(anchor)
      this.line(`${this.#place} += `, anchor)
    } else {
      this.line(`${this.#place} = ${this.#target} + ${quote(this.#pending)} + `, anchor)
      this.#pending = ""
    }
  }

  /**
   * The variable where it is assigned. TypeScript notes the assignments of names, and looks at each one again for each name in a
   * later value. It does not note this form.
   */
  get #place(): string {
    return `(${this.#target} as string)`
  }

  /** Writes the pending literal text, before code that may run several times or not at all. */
  flush(anchor: number): void {
    if (this.#assigned && this.#pending === "") return
    const first = !this.#assigned && this.#needsLet ? `let ${this.#target} ` : `${this.#place} `
    this.line(`${first}${this.#assigned ? "+= " : "= "}`, anchor)
    this.end(quote(this.#pending), anchor)
    this.#pending = ""
    this.#assigned = true
  }

  /** Begins a statement that appends the value of an expression to the output. */
  add(expression: string, anchor: number): void {
    this.line(`${this.#place} += ${expression}`, anchor)
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
    const before = [this.#pending, this.#collected] as const
    this.#pending = ""
    return () => {
      ;[this.#pending, this.#collected] = before
      back()
    }
  }

  /** Writes into a separate variable, in its own block, and returns its name. */
  apart(write: () => void, anchor: number): string {
    this.flush(anchor)
    const name = `$fw${++this.#locals}`
    const back = this.#begins(name, false)
    this.line(`let ${name}!: string;\n`, anchor)
    this.line("{\n", anchor)
    this.body(write, anchor)
    this.line("}\n", anchor)
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

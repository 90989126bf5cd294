/**
 * The statements of a template while they are written: copied code, and literal text that is joined with the
 * text after it.
 */

import type { Code, Markup } from "./ast.ts"
import type { Writer } from "./writer.ts"

/**
 * Returns a string literal. The two line breaks that JSON does not escape would move the lines of the source
 * map.
 */
export function quote(text: string): string {
  const quoted = JSON.stringify(text)
  return lineBreak.test(quoted) ? quoted.replace(/\u2028/g, "\\u2028").replace(/\u2029/g, "\\u2029") : quoted
}

const lineBreak = /[\u2028\u2029]/

/** The body of a function that appends to a variable. */
export class Output {
  readonly writer: Writer
  readonly #helpers: Set<string>
  readonly #markup: (markup: Markup) => void
  /** Literal output that is not written yet, because more may follow. */
  #pending = ""
  /** Variable that output is appended to. */
  #target = "$fw"
  #declared = false
  #locals = 0
  #indent = 1
  /** Further argument of helpers that print or make markup, in functions that await. */
  #collected = ""

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

  /**
   * Begins a statement that appends the pending literal text and a value to the output. It is not `$fw += "text" + value`,
   * because V8 joins these to a string first.
   */
  begin(anchor: number): void {
    if (this.#pending === "" || !this.#declared) {
      this.flush(anchor)
      this.line(`${this.#assigned} += `, anchor)
    } else this.line(`${this.#assigned} = ${this.#appended()} + `, anchor)
  }

  /**
   * The variable where it is assigned. TypeScript notes the assignments of names, and looks at each one again for each name in a
   * later value. It does not note this form.
   */
  get #assigned(): string {
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
    if (!this.#declared) this.flush(anchor)
    this.line(`${this.#assigned} = `, anchor)
    this.writer.write(`${this.helper(helper)}(${this.#appended()}, ${argument}, `, codeAnchor)
  }

  /** Writes the pending literal text, before code that may run several times or not at all. */
  flush(anchor: number): void {
    if (this.#declared && this.#pending === "") return
    this.#assign(`${quote(this.#pending)};\n`, anchor)
  }

  #assign(text: string, anchor: number): void {
    this.line(this.#declared ? `${this.#assigned} += ${text}` : `let ${this.#target} = ${text}`, anchor)
    this.#pending = ""
    this.#declared = true
  }

  /** Appends the value of an expression to the output, in its own statement. */
  add(expression: string, anchor: number): void {
    this.line(`${this.#assigned} += ${expression}`, anchor)
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
      if (this.#pending !== "") this.flush(anchor)
    })
  }

  /** Appends the value of a variable to the output. */
  value(name: string, anchor: number): void {
    this.begin(anchor)
    this.writer.write(`${name};\n`, anchor)
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

  /** Writes into a separate variable, in its own block, and returns its name. */
  apart(write: () => void, anchor: number): string {
    this.flush(anchor)
    const outer = this.#target
    const name = this.local('""', anchor)
    this.#target = name
    this.line("{\n", anchor)
    this.body(write, anchor)
    this.line("}\n", anchor)
    this.#target = outer
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
    const [pending, target, declared, collected] = [
      this.#pending,
      this.#target,
      this.#declared,
      this.#collected,
    ]
    this.#pending = ""
    this.#target = `$fw${++this.#locals}`
    this.#declared = false
    this.writer.write("async (", anchor)
    parameter()
    this.writer.write(") => {\n", anchor)
    this.indented(() => {
      this.collect(anchor)
      write()
      this.line(`return $fwRaw(${this.whole()}${this.#collected});\n`, anchor)
    })
    this.line("}", anchor)
    this.#pending = pending
    this.#target = target
    this.#declared = declared
    this.#collected = collected
  }

  /** Writes, in the middle of a statement, an expression of type `Html` for the output of `write`. */
  inline(write: () => void, form: "literal" | "sync" | "async", anchor: number): void {
    const [pending, target, declared] = [this.#pending, this.#target, this.#declared]
    this.#pending = ""
    this.#target = `$fw${++this.#locals}`
    this.#declared = false
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
    this.#pending = pending
    this.#target = target
    this.#declared = declared
  }

  /** Returns the expression for the whole output, at its end. */
  whole(): string {
    const rest = this.#pending === "" ? undefined : quote(this.#pending)
    return this.#declared ? (rest ? `${this.#target} + ${rest}` : this.#target) : (rest ?? '""')
  }
}

// The statements of one template as they are written: code that is copied, and literal text that waits to join what
// follows. `emit.ts` and `emit-attributes.ts` write through it.

import type { Code, Markup } from "./ast.ts"
import type { Writer } from "./writer.ts"

/** A string literal; the two line breaks that JSON leaves as they are would move the lines of the map. */
export function quote(text: string): string {
  const quoted = JSON.stringify(text)
  return lineBreak.test(quoted) ? quoted.replace(/\u2028/g, "\\u2028").replace(/\u2029/g, "\\u2029") : quoted
}

const lineBreak = /[\u2028\u2029]/

/** The body of a function that adds to a variable. */
export class Output {
  readonly writer: Writer
  readonly #helpers: Set<string>
  readonly #markup: (markup: Markup) => void
  /** Literal output that has not been written yet; it joins what follows. */
  #pending = ""
  /** The variable that output is added to. */
  #target = "$fw"
  #declared = false
  #locals = 0
  #indent = 1

  /**
   * @param helpers takes the names of the functions that the code calls.
   * @param markup writes the nodes of markup that stands in an expression.
   */
  constructor(writer: Writer, helpers: Set<string>, markup: (markup: Markup) => void) {
    this.writer = writer
    this.#helpers = helpers
    this.#markup = markup
  }

  /** The name of a helper, which is imported then. */
  helper(name: string): string {
    this.#helpers.add(name)
    return name
  }

  /** Literal output. */
  literal(text: string): void {
    this.#pending += text
  }

  /** Copies code so that nothing in it reaches what follows. */
  code(code: Code): void {
    let from = code.start
    for (const markup of code.markup) {
      this.writer.copy(from, markup.start)
      this.#markup(markup)
      from = markup.end
    }
    this.writer.copy(from, code.end)
    if (code.lineComment) this.writer.write("\n", code.end)
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

  /** Begins a statement that adds to the output, with the literal text that is waiting. */
  begin(anchor: number): void {
    this.#assign(this.#pending === "" ? "" : `${quote(this.#pending)} + `, anchor)
  }

  /** Writes the literal text that is waiting, before code that may run several times or not at all. */
  flush(anchor: number): void {
    if (this.#declared && this.#pending === "") return
    this.#assign(`${quote(this.#pending)};\n`, anchor)
  }

  #assign(text: string, anchor: number): void {
    this.line(this.#declared ? `${this.#target} += ${text}` : `let ${this.#target} = ${text}`, anchor)
    this.#pending = ""
    this.#declared = true
  }

  /** Adds the value of an expression to the output, in a statement of its own. */
  add(expression: string, anchor: number): void {
    this.line(`${this.#target} += ${expression}`, anchor)
  }

  /** Writes what stands further in. */
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

  /** Adds the value of a variable to the output. */
  value(name: string, anchor: number): void {
    this.begin(anchor)
    this.writer.write(`${name};\n`, anchor)
  }

  /** Declares a constant for what a helper returns for code, and returns its name. */
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

  /** Writes into a variable of its own, whose name it gives, in a block of its own. */
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

  /** Writes, in the middle of a statement, an expression of type `Html` for what `write` adds. */
  inline(write: () => void, form: "literal" | "sync" | "async", anchor: number): void {
    const [pending, target, declared] = [this.#pending, this.#target, this.#declared]
    this.#pending = ""
    this.#target = `$fw${++this.#locals}`
    this.#declared = false
    if (form === "literal") {
      write()
      this.writer.write(`$fwRaw(${this.whole()})`, anchor)
    } else {
      // A function that is called at once, so that statements may stand in it.
      this.writer.write(form === "async" ? "(await (async () => {\n" : "(() => {\n", anchor)
      this.indented(() => {
        this.indented(write)
        this.line(`  return $fwRaw(${this.whole()});\n`, anchor)
      })
      this.line(form === "async" ? "})())" : "})()", anchor)
    }
    this.#pending = pending
    this.#target = target
    this.#declared = declared
  }

  /** The expression of the whole output at its end. */
  whole(): string {
    const rest = this.#pending === "" ? undefined : quote(this.#pending)
    return this.#declared ? (rest ? `${this.#target} + ${rest}` : this.#target) : (rest ?? '""')
  }
}

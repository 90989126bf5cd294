/**
 * The statements of a template while they are written: copied code, and literal text that is joined with the
 * text after it.
 */

import type { Code, DynamicAttribute } from "./ast.ts"
import { quote } from "./quote.ts"
import { Statements } from "./statements.ts"

interface AttributeCall {
  /** The index of the attribute in the literal text before its value, and the one that the call takes if it does not say so. */
  readonly at: number
  readonly usual: number
  /** The variable that has its value, for the next attribute. */
  readonly value: string | undefined
  readonly anchor: number
}

/** The body of a function that appends to a variable. */
export class Output extends Statements {
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
  /** Variables that are declared, for `apart`. */
  readonly #spare: string[] = []
  /** The call that prints an attribute, without its last arguments, because the literal text after it is one. */
  #call: AttributeCall | undefined

  /** Adds literal output. */
  literal(text: string): void {
    this.#pending += text
  }

  override line(text: string, anchor: number): void {
    // Literal text goes past a constant, so that it does not matter on which side of it a blank is.
    this.#endCall('"')
    super.line(text, anchor)
  }

  /** Declares some of the variables of `apart`, for statements that are joined. */
  declare(count: number, anchor: number): void {
    for (let left = count; left > 0; left--) this.#spare.push(`$fw${++this.#locals}`)
    if (count > 0) this.line(`let ${this.#spare.map((name) => `${name}!: string`).join(", ")};\n`, anchor)
  }

  /** Writes the statements of a block as one expression, between parentheses that the caller writes. */
  joined(write: () => void, anchor: number): void {
    if (this.joining(() => this.body(write, anchor))) this.line("  0\n", anchor)
  }

  /**
   * Begins a statement that appends the pending literal text and a value to the output. It is not `$fw += "text" + value`,
   * because V8 joins these to a string first.
   */
  begin(anchor: number): void {
    this.#endCall()
    if (this.#pending === "" || !this.#assigned) {
      this.flush(anchor)
      this.statement(`${this.#place} += `, anchor)
    } else {
      this.statement(`${this.#place} = ${this.#target} + ${quote(this.#pending)} + `, anchor)
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

  /**
   * Appends an attribute by a call that gets the literal text on both sides, because V8 takes longer for three texts than for one.
   *
   * @param convert the helper that makes what is printed from the value.
   * @param continues true if only literal text is between it and the next attribute. Then that call prints the quotation mark
   * after this value, and therefore gets the value: some values print no attribute.
   */
  attribute({ name, start, code }: DynamicAttribute, convert: string | undefined, continues: boolean): void {
    const before = this.#call?.value
    if (before === undefined) this.#endCall()
    if (!this.#assigned) this.flush(start)
    const literal = (before === undefined ? "" : '"') + this.#pending
    this.#pending = ""
    if (before !== undefined) this.#endCall("")
    const value = continues && !this.isJoined ? `$fw${++this.#locals}` : undefined
    this.statement(`${value ? `let ${value}!: unknown; ` : ""}${this.#place} = `, start)
    const helper = this.helper(before === undefined ? "$fwAttribute" : "$fwNext")
    this.writer.write(`${helper}(${this.#target}, ${quote(`${literal} ${name}="`)}, `, code.start)
    if (value) this.writer.write(`(${value} as unknown) = `, code.start)
    this.converted(code, convert, name)
    if (before) this.writer.write(`, ${before}`, code.end)
    this.#call = { at: literal.length, usual: before === undefined ? 0 : 1, value, anchor: code.end }
  }

  /** Copies the value of an attribute as an argument. */
  protected converted(code: Code, convert: string | undefined, name: string): void {
    if (convert) this.writer.write(`${this.helper(convert)}(`, code.start)
    this.argument(code)
    if (convert) this.writer.write(`, ${quote(name)})`, code.end)
  }

  /** Ends the call of an attribute, by default with the pending literal text. */
  #endCall(text?: string): void {
    if (!this.#call) return
    const { at, usual, anchor } = this.#call
    const close = text ?? `"${this.#pending}`
    if (text === undefined) this.#pending = ""
    this.#call = undefined
    this.end(at === usual && close === '"' ? ")" : `, ${at}, ${quote(close)})`, anchor)
  }

  /** The assignment of the first value. TypeScript notes a `let` with a value like an assignment; a template has one. */
  get #first(): string {
    if (this.#target === "$fw") return "let $fw = "
    return `${this.#needsLet ? `let ${this.#target}!: string; ` : ""}${this.#place} = `
  }

  /** Writes the pending literal text, before code that may run several times or not at all. */
  flush(anchor: number): void {
    this.#endCall()
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
    const joined = this.unjoined()
    this.#pending = ""
    return () => {
      ;[this.#pending, this.#collected] = before
      joined()
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
    this.#endCall()
    const rest = this.#pending === "" ? undefined : quote(this.#pending)
    return this.#assigned ? (rest ? `${this.#target} + ${rest}` : this.#target) : (rest ?? '""')
  }
}

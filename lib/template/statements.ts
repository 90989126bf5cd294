/** The statements of a template while they are written, and the code in them that is copied. */

import type { Code, Markup } from "./ast.ts"
import type { Writer } from "./writer.ts"

/** The lines of a function's body. */
export class Statements {
  readonly writer: Writer
  readonly #helpers: Set<string>
  readonly #markup: (markup: Markup) => void
  #indent = 1
  /** The text before the next statement where statements are joined to one expression; undefined elsewhere. */
  #join: "" | ", " | undefined

  /**
   * Creates the lines.
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

  /** Writes with more indentation. */
  indented(write: () => void): void {
    this.#indent++
    write()
    this.#indent--
  }

  /** Writes statements that are joined to one expression. Returns true if there was none. */
  protected joining(write: () => void): boolean {
    const outer = this.#join
    this.#join = ""
    write()
    const isEmpty = this.#join === ""
    this.#join = outer
    return isEmpty
  }

  /** Goes on with statements that are not joined. Returns the function that comes back. */
  protected unjoined(): () => void {
    const outer = this.#join
    this.#join = undefined
    return () => {
      this.#join = outer
    }
  }
}

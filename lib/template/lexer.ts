/** The tokenizer for the code of a template file, with its messages. */

import { Lexer as CodeLexer, closerOf, type Fault } from "../scan/lexer.ts"
import { Problem } from "./diagnostic.ts"

export type { Token } from "../scan/lexer.ts"

const messages: Readonly<
  Record<Exclude<Fault["kind"], "close">, (text: string) => [what: string, fix: string]>
> = {
  string: (quote) => ["this string is never closed", `Close it with ${quote} on the same line.`],
  comment: () => ["this comment is never closed", "Close it with */."],
  template: () => ["this template literal is never closed", "Close it with a backtick."],
  open: (bracket) => [`this ${bracket} is never closed`, `Close it with ${closerOf[bracket]}.`],
}

/** Reads code token by token. Throws a `Problem` for text that is not code. */
export class Lexer extends CodeLexer {
  protected override error({ kind, at, text, opened = "" }: Fault): Problem {
    if (kind !== "close") return new Problem(at, ...messages[kind](text))
    return new Problem(at, `"${text}" does not close "${opened}"`, `Expected "${closerOf[opened]}" here.`)
  }

  protected override refuseRegex(start: number): never {
    throw new Problem(start, "this regular expression is never closed", "Close it with / on the same line.")
  }
}

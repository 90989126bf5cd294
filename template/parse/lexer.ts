/** The tokenizer for code in template files, with messages for their authors. */

import { Lexer as CodeLexer, closingBrackets, type LexerFault } from "../../lib/scan/lexer.ts"
import { Problem } from "../diagnostic.ts"

export type { Token } from "../../lib/scan/lexer.ts"

const faultMessages: Readonly<
  Record<Exclude<LexerFault["kind"], "close">, (text: string) => [message: string, fix: string]>
> = {
  string: (quote) => ["this string is never closed", `Close it with ${quote} on the same line.`],
  comment: () => ["this comment is never closed", "Close it with */."],
  template: () => ["this template literal is never closed", "Close it with a backtick."],
  open: (bracket) => [`this ${bracket} is never closed`, `Close it with ${closingBrackets[bracket]}.`],
}

/** Splits code into tokens. Throws a `Problem` for text that is not code. */
export class Lexer extends CodeLexer {
  protected override createError({ kind, at, text, openBracket = "" }: LexerFault): Problem {
    if (kind !== "close") return new Problem(at, ...faultMessages[kind](text))
    return new Problem(
      at,
      `"${text}" does not close "${openBracket}"`,
      `Expected "${closingBrackets[openBracket]}" here.`,
    )
  }

  protected override refuseRegex(start: number): never {
    throw new Problem(start, "this regular expression is never closed", "Close it with / on the same line.")
  }
}

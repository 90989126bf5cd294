/** Checks that read the modules of a project by their tokens, one at a time. */
import { join } from "node:path"
import { type Token, tokenize } from "../../../lib/scan/tokens.ts"
import { linkSources } from "../links/project-links.ts"
import type { Finding } from "./finding.ts"

/** Checks the modules of a project. @param code the names of the files that are modules. */
export type ModuleCheck = (root: string, code?: RegExp) => Finding[]

/**
 * Makes a check of a project from one of a module. What it found is kept while the text of the module stays the same.
 *
 * @param mayHave a pattern of the texts that are worth the tokenizer.
 */
export function moduleCheck(
  mayHave: RegExp,
  findingsIn: (file: string, source: string) => readonly Finding[],
): ModuleCheck {
  const known = new Map<string, { readonly text: string; readonly findings: readonly Finding[] }>()
  return (root, code = /\.[cm]?[jt]sx?$/) =>
    linkSources(root).flatMap(({ file, text }) => {
      if (!code.test(file) || file.startsWith("static/") || !mayHave.test(text)) return []
      const path = join(root, file)
      const before = known.get(path)
      const read = before?.text === text ? before : { text, findings: findingsIn(file, text) }
      known.set(path, read)
      return read.findings
    })
}

/** Returns the tokens of a module; none for one with a syntax error, which is reported elsewhere. */
export function tokensOf(file: string, source: string): readonly Token[] {
  try {
    return tokenize(source, { file, jsx: /x$/.test(file) }).tokens
  } catch {
    return []
  }
}

/**
 * Returns the index of the bracket that closes the one at an index; the number of tokens if none does.
 *
 * @param most number of tokens to look at.
 */
export function closeOf(tokens: readonly Token[], open: number, most = tokens.length): number {
  const depth = tokens[open]?.depth
  const end = Math.min(tokens.length, open + 1 + most)
  for (let at = open + 1; at < end; at++)
    if (tokens[at]?.depth === depth && /^[)\]}]$/.test(tokens[at]?.text ?? "")) return at
  return tokens.length
}

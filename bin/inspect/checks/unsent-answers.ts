/** Finds answers and errors that a statement makes and leaves: without `return` or `throw`, a guard lets every request pass. */
import * as errors from "../../../lib/errors.ts"
import { beforeValue } from "../../../lib/scan/lexer.ts"
import { positionOf, type Token } from "../../../lib/scan/tokens.ts"
import type { AnsweringMethod } from "../../openapi/types/calls.ts"
import { closeOf, tokensOf } from "../../project/module-tokens.ts"
import { type Finding, failure } from "./finding.ts"
import { ofModules } from "./of-sources.ts"

/** A method of the context that is missing here does not compile. */
const answers: Readonly<Record<AnsweringMethod, true>> = {
  json: true,
  html: true,
  page: true,
  xml: true,
  string: true,
  blob: true,
  file: true,
  stream: true,
  sse: true,
  noContent: true,
  redirect: true,
}

/** The functions of fw that return an error. */
const errorNames = new Set(
  Object.entries(errors).flatMap(([name, value]) =>
    typeof value === "function" && /^[a-z]/.test(name) ? [name] : [],
  ),
)

const mayHave = new RegExp(
  `\\.\\s*(?:${Object.keys(answers).join("|")})\\s*\\(|\\b(?:${[...errorNames].join("|")})\\s*\\(`,
)

/** Returns an error for each answer of the context, and each error of fw, that a module makes and leaves. */
export const unsentAnswers = ofModules((file, source) => {
  if (!mayHave.test(source)) return []
  const tokens = tokensOf(file, source)
  const contexts = contextNames(tokens)
  const made = importedErrors(tokens)
  return tokens.flatMap((token, at): Finding[] => {
    if (token.kind !== "word" || !beginsStatement(tokens, at)) return []
    const found = answerAt(tokens, at, contexts) ?? errorAt(tokens, at, made)
    if (!found || !endsStatement(tokens, closeOf(tokens, found.open))) return []
    return [failure("unsent", { file, ...positionOf(source, token.start) }, found.message, found.fix)]
  })
})

interface Call {
  /** Index of the bracket before its arguments. */
  readonly open: number
  readonly message: string
  readonly fix: string
}

function answerAt(tokens: readonly Token[], at: number, contexts: ReadonlySet<string>): Call | null {
  const [c, dot, method, open] = tokens.slice(at, at + 4)
  if (!c || !method || dot?.text !== "." || open?.text !== "(") return null
  if (!contexts.has(c.text) || !Object.hasOwn(answers, method.text)) return null
  const call = `${c.text}.${method.text}(`
  return {
    open: at + 3,
    message: `${call}) makes an answer that is not sent, and the code goes on after it`,
    fix: `Write return before it: return ${call}…).`,
  }
}

function errorAt(tokens: readonly Token[], at: number, made: ReadonlySet<string>): Call | null {
  const name = tokens[at]?.text ?? ""
  if (!made.has(name) || tokens[at + 1]?.text !== "(") return null
  return {
    open: at + 1,
    message: `${name}() makes an error that is not thrown, and the code goes on after it`,
    fix: `Write throw before it: throw ${name}(…).`,
  }
}

/** The names of contexts: parameters of that type, and those of functions without types that are usually one. */
function contextNames(tokens: readonly Token[]): ReadonlySet<string> {
  const names = tokens.flatMap(({ kind, text }, at) => {
    const [after, type] = [tokens[at + 1]?.text, tokens[at + 2]?.text ?? ""]
    if (kind !== "word") return []
    if (after === ":" && /^(?:\w*Context)$/.test(type)) return [text]
    return /^(?:c|ctx|context)$/.test(text) && isParameter(tokens, at) ? [text] : []
  })
  return new Set(names)
}

/** The most tokens of the parameters of a function. */
const mostParameterTokens = 20

/** True for the first parameter of an arrow function: `c =>`, `(c) =>`, `(c, error) =>`. */
function isParameter(tokens: readonly Token[], at: number): boolean {
  if (tokens[at + 1]?.text === "=>") return true
  if (tokens[at - 1]?.text !== "(") return false
  return tokens[closeOf(tokens, at - 1, mostParameterTokens) + 1]?.text === "=>"
}

/** The local names of fw's errors. */
function importedErrors(tokens: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [at, { text, depth }] of tokens.entries()) {
    if (text !== "import" || depth > 0 || tokens[at + 1]?.text !== "{") continue
    const end = closeOf(tokens, at + 1)
    if (tokens[end + 1]?.text !== "from" || !/^["']fw["']$/.test(tokens[end + 2]?.text ?? "")) continue
    for (let i = at + 2; i < end; i++) {
      const [name, as, local] = tokens.slice(i, i + 3).map((token) => token.text)
      if (name && errorNames.has(name)) names.add(as === "as" && local ? local : name)
    }
  }
  return names
}

/** Keywords that a statement follows. */
const beforeStatement = new Set(["else", "do"])
/** Words with which an expression goes on. */
const operators = new Set(["in", "instanceof", "as", "satisfies"])

function beginsStatement(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]]
  if (!before) return true
  if (/^[;{})]$/.test(before.text) || beforeStatement.has(before.text)) return true
  if (!token?.newline || beforeValue.has(before.text)) return false
  return before.kind !== "mark" || before.text === "]"
}

/** True if nothing uses the value of an expression. @param end index of its last token. */
function endsStatement(tokens: readonly Token[], end: number): boolean {
  const after = tokens[end + 1]
  if (!after || after.text === ";" || after.text === "}") return end < tokens.length
  return after.newline && after.kind === "word" && !operators.has(after.text)
}

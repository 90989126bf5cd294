/**
 * Finds statements that create an answer or an error but do not use it. Without `return` or `throw`, a guard lets
 * every request pass.
 */
import * as errors from "../../../lib/errors.ts"
import { wordsBeforeValue } from "../../../lib/scan/lexer.ts"
import type { ModuleToken } from "../../../lib/scan/tokens.ts"
import { listModuleImports } from "../../project/module-imports.ts"
import { findClosing, readTokens } from "../../project/module-tokens.ts"
import { answerMethods } from "../../system/framework-files.ts"
import { createModuleCheck, type SourceProblem } from "./source-checks.ts"

/** The functions of fw that return an error. */
const errorNames = new Set(
  Object.entries(errors).flatMap(([name, value]) => (typeof value === "function" && /^[a-z]/.test(name) ? [name] : [])),
)

const answerOrErrorCall = new RegExp(
  `\\.\\s*(?:${answerMethods.join("|")})\\s*\\(|\\b(?:${[...errorNames].join("|")})\\s*\\(`,
)

/**
 * Returns an error for each answer of the context, and each error of fw, that a module creates but does not use.
 */
export const findUnsentAnswers = createModuleCheck((source, file) => {
  if (!answerOrErrorCall.test(source)) return []
  const tokens = readTokens(file, source)
  const contexts = findContextNames(tokens)
  const importedNames = findImportedErrors(tokens)
  return tokens.flatMap((token, at): SourceProblem[] => {
    if (token.kind !== "word" || !beginsStatement(tokens, at)) return []
    const found = findAnswer(tokens, at, contexts) ?? findError(tokens, at, importedNames)
    if (!found || !endsStatement(tokens, findClosing(tokens, found.open))) return []
    return [{ code: "unsent", offset: token.start, message: found.message, fix: found.fix, isError: true }]
  })
})

interface UnsentCall {
  /** Index of the bracket before the arguments. */
  readonly open: number
  readonly message: string
  readonly fix: string
}

function findAnswer(tokens: readonly ModuleToken[], at: number, contexts: ReadonlySet<string>): UnsentCall | null {
  const [c, dot, method, open] = tokens.slice(at, at + 4)
  if (!c || !method || dot?.text !== "." || open?.text !== "(") return null
  if (!contexts.has(c.text) || !answerMethods.includes(method.text)) return null
  const call = `${c.text}.${method.text}(`
  return {
    open: at + 3,
    message: `${call}) makes an answer that is not sent, and the code goes on after it`,
    fix: `Write return before it: return ${call}…).`,
  }
}

function findError(tokens: readonly ModuleToken[], at: number, errorFunctions: ReadonlySet<string>): UnsentCall | null {
  const name = tokens[at]?.text ?? ""
  if (!errorFunctions.has(name) || tokens[at + 1]?.text !== "(") return null
  return {
    open: at + 1,
    message: `${name}() makes an error that is not thrown, and the code goes on after it`,
    fix: `Write throw before it: throw ${name}(…).`,
  }
}

/**
 * Returns the names of contexts: parameters of this type, and parameters without a type that usually are a context.
 */
function findContextNames(tokens: readonly ModuleToken[]): ReadonlySet<string> {
  const names = tokens.flatMap(({ kind, text }, at) => {
    const [after, type] = [tokens[at + 1]?.text, tokens[at + 2]?.text ?? ""]
    if (kind !== "word") return []
    if (after === ":" && /^(?:\w*Context)$/.test(type)) return [text]
    return /^(?:c|ctx|context)$/.test(text) && isParameter(tokens, at) ? [text] : []
  })
  return new Set(names)
}

/** The number of tokens to search for the end of a function's parameters. */
const maxParameterTokens = 20

/** Returns true for the first parameter of an arrow function: `c =>`, `(c) =>`, `(c, error) =>`. */
function isParameter(tokens: readonly ModuleToken[], at: number): boolean {
  if (tokens[at + 1]?.text === "=>") return true
  if (tokens[at - 1]?.text !== "(") return false
  return tokens[findClosing(tokens, at - 1, maxParameterTokens) + 1]?.text === "=>"
}

/** Returns the names under which a module imports fw's errors. */
function findImportedErrors(tokens: readonly ModuleToken[]): ReadonlySet<string> {
  const names = listModuleImports(tokens).flatMap((one) => (one.specifier === "fw" ? one.names : []))
  return new Set(names.flatMap(({ name, local }) => (errorNames.has(name) ? [local] : [])))
}

/** Keywords that are followed by a statement. */
const statementKeywords = new Set(["else", "do"])
/** Operators that are words. They continue an expression. */
const wordOperators = new Set(["in", "instanceof", "as", "satisfies"])

function beginsStatement(tokens: readonly ModuleToken[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]]
  if (!before) return true
  if (/^[;{})]$/.test(before.text) || statementKeywords.has(before.text)) return true
  if (!token?.isOnNewLine || wordsBeforeValue.has(before.text)) return false
  return before.kind !== "mark" || before.text === "]"
}

/**
 * Returns true if an expression is a statement, so that nothing uses its value.
 *
 * @param end index of its last token.
 */
function endsStatement(tokens: readonly ModuleToken[], end: number): boolean {
  const after = tokens[end + 1]
  if (!after || after.text === ";" || after.text === "}") return end < tokens.length
  return after.isOnNewLine && after.kind === "word" && !wordOperators.has(after.text)
}

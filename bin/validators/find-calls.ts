/**
 * Finds the calls that are validated against a type: `c.bind<Task>()` and the other binding methods, if they are
 * called without a schema. The calls are recognized by their signatures.
 */

import { readBoundType, readMethodOverload } from "../openapi/types/calls/bound-type.ts"
import type { InputFrom } from "../openapi/types/input-types.ts"
import { readTokens } from "../project/module-tokens.ts"
import type { CallExpression, Node, SourceFile, Type, TypeProgram } from "../tools/typescript/program.ts"
import type { SyntaxNode } from "../tools/typescript/syntax.ts"

/** A method of the context that binds and validates. */
export type BindMethod = keyof typeof bindMethods

/** The part of a request that each method reads. */
const bindMethods = {
  bind: "json",
  bindForm: "form",
  bindQuery: "query",
  readForm: "form",
} as const satisfies Readonly<Record<string, InputFrom>>

/**
 * Matches a text that may call one of these methods without a schema. Other files are not read. A call of `bind()` with
 * an argument does not match: it has a schema, or is the `bind()` of a function.
 */
export const mayBindPattern = new RegExp(
  `\\bbind\\b(?!\\s*\\(\\s*[\\w"'\`{[])|\\b(?:${Object.keys(bindMethods)
    .filter((name) => name !== "bind")
    .join("|")})\\b`,
)

/** Matches a call without a schema in a text without comments and strings. */
const callWithoutSchema = new RegExp(
  `\\b(${Object.keys(bindMethods).join("|")})\\b["'\`\\]!\\s]*(?:\\?\\.)?\\s*(?:<|\\(\\s*\\))`,
)

/**
 * Returns a binding method that a source calls without a schema, such as `bind`; undefined if there is none. It reads
 * only the text, because the types of some files cannot be read.
 */
export function findMethodWithoutSchema(source: string, file: string): string | undefined {
  return callWithoutSchema.exec(extractCode(source, file))?.[1]
}

/** Returns a source without comments and strings, except strings in brackets: `c["bind"]()` is a call. */
function extractCode(source: string, file: string): string {
  return readTokens(file, source)
    .filter(({ kind, text }) => kind !== "regex" && (kind !== "string" || /^.\w+.$/.test(text)))
    .map(({ text }) => text)
    .join(" ")
}

/** A call without a schema. */
export interface FoundCall {
  readonly node: CallExpression
  readonly method: BindMethod
  readonly from: InputFrom
  /**
   * The type that it promises. `parameter` if it is a type parameter of the surrounding function, `unknown` if the
   * context has no type.
   */
  readonly type: Type | "parameter" | "unknown"
}

/** Returns the calls in a file, in the order of the source. */
export function findCalls(source: SourceFile, program: TypeProgram): FoundCall[] {
  const calls: CallExpression[] = []
  collectCalls(source, calls, program)
  return calls.flatMap((node) => readCall(node, program) ?? [])
}

function collectCalls(node: Node, calls: CallExpression[], program: TypeProgram): void {
  const { kinds } = program
  if (node.kind === kinds.InterfaceDeclaration || node.kind === kinds.ImportDeclaration) return
  if (node.kind >= kinds.FirstTypeNode && node.kind <= kinds.LastTypeNode) return
  if (node.kind === kinds.CallExpression && mayBeBindCall(node as CallExpression, program))
    calls.push(node as CallExpression)
  node.forEachChild((child) => collectCalls(child, calls, program))
}

/** Returns the called expression, without parentheses and `!`. */
export function findCallee({ expression }: CallExpression, { kinds }: TypeProgram): SyntaxNode {
  let callee: SyntaxNode = expression
  while (callee.kind === kinds.ParenthesizedExpression || callee.kind === kinds.NonNullExpression)
    callee = callee.expression as SyntaxNode
  return callee
}

/** Returns false if the called method is certainly not a binding method. A computed name may be that of one. */
function mayBeBindCall(call: CallExpression, program: TypeProgram): boolean {
  const callee = findCallee(call, program)
  return callee.kind === program.kinds.ElementAccessExpression || isBindMethod(callee.name?.text ?? callee.text)
}

function isBindMethod(name: string | undefined): name is BindMethod {
  return name !== undefined && Object.hasOwn(bindMethods, name)
}

function readCall(node: CallExpression, program: TypeProgram): FoundCall | undefined {
  const signature = program.checker.getResolvedSignature(node)
  const { declaration } = signature ?? {}
  if (!signature || !declaration) return readUntypedCall(node, program)
  if (program.findFrameworkModule(declaration.path) !== "context") return undefined
  const { name: method, hasSchema } = readMethodOverload(signature, program)
  if (hasSchema || !isBindMethod(method)) return undefined
  const type = readBoundType(node, program, method === "readForm")
  const isParameter = type !== undefined && (type.flags & program.flags.TypeParameter) !== 0
  return { node, method, from: bindMethods[method], type: isParameter ? "parameter" : (type ?? "unknown") }
}

/** Reads a call of a value without a type, which may be a context. */
function readUntypedCall(node: CallExpression, program: TypeProgram): FoundCall | undefined {
  const { name, expression } = findCallee(node, program)
  const method = name?.text
  if (!isBindMethod(method) || !expression || node.arguments.length > 0) return undefined
  const type = program.checker.getTypeAtLocation(expression)
  const isAny = type !== undefined && (type.flags & program.flags.Any) !== 0
  return isAny ? { node, method, from: bindMethods[method], type: "unknown" } : undefined
}

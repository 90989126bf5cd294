/** Finds the type against which a call without a schema is validated: `Task` in `c.bind<Task>()`. */
import type { CallExpression, Signature, Type, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"

/** Returns the name of the method that a signature belongs to, and whether this overload takes a schema. */
export function readMethodOverload(
  { declaration }: Signature,
  program: TypeProgram,
): { readonly name: string | undefined; readonly hasSchema: boolean } {
  const node = program.resolveNode(declaration) as SyntaxNode | undefined
  return { name: node?.name?.text, hasSchema: node?.parameters?.[0]?.name?.text === "schema" }
}

/**
 * Returns the type that a call without a schema promises: its type argument, or the inferred type, as in `const
 * task: Task = await c.bind()`.
 *
 * @param wrapsResult true for `c.readForm()`, which returns an object that contains the data.
 */
export function readBoundType(call: CallExpression, program: TypeProgram, wrapsResult = false): Type | undefined {
  const { checker } = program
  const [written] = call.typeArguments ?? []
  if (written) return checker.getTypeFromTypeNode(written)
  const returned = checker.getTypeAtLocation(call)
  const promised = returned?.isTypeReference() ? checker.getTypeArguments(returned)[0] : undefined
  // The promised type is Form<Data>, which is an alias.
  return wrapsResult ? promised?.getAliasTypeArguments()?.[0] : promised
}

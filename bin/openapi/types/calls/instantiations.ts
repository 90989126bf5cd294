/** Finds the types that a function's type parameters have in a call. */
import type {
  CallExpression,
  InterfaceType,
  Node,
  Signature,
  Type,
  TypeProgram,
} from "../../../tools/typescript/program.ts"

/** The depth up to which types are compared. */
const maxDepth = 6

/**
 * Returns the type that replaces a type parameter of a function, or of its class, in a call. TypeScript does not
 * offer this, so the declared signature is compared with that of the call.
 *
 * @returns undefined if the signatures do not tell.
 */
export function findInstantiation(
  bound: Type,
  call: CallExpression,
  signature: Signature,
  program: TypeProgram,
): Type | undefined {
  const { checker } = program
  const declared = signature.getTarget()
  const type = unwrapPromise(bound, checker)
  const explicitType = findExplicitArgument(type, call, declared, program)
  if (explicitType) return explicitType
  const find = (a: Type | undefined, b: Type | undefined) => a && b && findAtSamePosition(type, a, b, 0, program)
  if (declared) {
    const [open, closed] = [declared, signature].map((one) => checker.getReturnTypeOfSignature(one))
    const returned = find(open, closed)
    if (returned) return returned
    for (let i = 0; i < declared.parameters.length; i++) {
      const given = find(checker.getParameterType(declared, i), checker.getParameterType(signature, i))
      if (given) return given
    }
  }
  return findReceiverArgument(type, call, program)
}

/** Returns the type argument that is written in a call: `create<Item>(c)`. */
function findExplicitArgument(
  type: Type,
  { typeArguments }: CallExpression,
  declared: Signature | undefined,
  { checker }: TypeProgram,
): Type | undefined {
  const at = typeArguments ? (declared?.getTypeParameters() ?? []).findIndex(({ id }) => id === type.id) : -1
  const node = typeArguments?.[at]
  return node && checker.getTypeFromTypeNode(node)
}

/** Returns the type inside a promise, such as `T` in the result of `c.bind<T>()`. */
function unwrapPromise(type: Type, checker: TypeProgram["checker"]): Type {
  if (type.getSymbol()?.name !== "Promise" || !type.isTypeReference()) return type
  return checker.getTypeArguments(type)[0] ?? type
}

/** Returns the type in `closed` that is at the position of a type parameter in `open`. */
function findAtSamePosition(
  parameter: Type,
  open: Type,
  closed: Type,
  depth: number,
  program: TypeProgram,
): Type | undefined {
  if (open.id === parameter.id) return closed
  if (open.id === closed.id || depth > maxDepth) return undefined
  for (const [a, b] of listPairs(open, closed, program)) {
    const found = a && b && findAtSamePosition(parameter, a, b, depth + 1, program)
    if (found) return found
  }
  return undefined
}

type TypePair = readonly [Type | undefined, Type | undefined]

/** Returns the parts at the same positions of two types. Those that take the least time come first. */
function* listPairs(open: Type, closed: Type, program: TypeProgram): Generator<TypePair> {
  const { checker } = program
  yield* zip(open.getAliasTypeArguments() ?? [], closed.getAliasTypeArguments() ?? [])
  if (open.isTypeReference() && closed.isTypeReference()) {
    yield* zip(checker.getTypeArguments(open), checker.getTypeArguments(closed))
    return
  }
  const isUnion = open.isUnionType() && closed.isUnionType()
  if (isUnion || (open.isIntersectionType() && closed.isIntersectionType())) {
    yield* zip(open.getTypes(), closed.getTypes())
    return
  }
  if (!open.isObjectType() || !closed.isObjectType()) return
  const [one, other] = [open, closed].map((type) => checker.getSignaturesOfType(type, 0)[0])
  if (one && other) {
    yield [checker.getReturnTypeOfSignature(one), checker.getReturnTypeOfSignature(other)]
    for (let i = 0; i < one.parameters.length; i++)
      yield [checker.getParameterType(one, i), checker.getParameterType(other, i)]
    return
  }
  for (const symbol of checker.getPropertiesOfType(open)) {
    const property = checker.getPropertyOfType(closed, symbol.name)
    if (property) yield [checker.getTypeOfSymbol(symbol), checker.getTypeOfSymbol(property)]
  }
}

/** Pairs the items of two lists. Returns no pairs if the lengths differ, because then positions do not correspond. */
function zip(a: readonly Type[], b: readonly Type[]): TypePair[] {
  return a.length === b.length ? a.map((type, i) => [type, b[i]]) : []
}

/** Returns the type argument of the object whose method is called, or of its base class. */
function findReceiverArgument(parameter: Type, call: CallExpression, program: TypeProgram): Type | undefined {
  const { checker, kinds } = program
  const callee = call.expression as Node & { readonly expression?: Node }
  if (callee.kind !== kinds.PropertyAccessExpression || !callee.expression) return undefined
  let type = checker.getTypeAtLocation(callee.expression)
  for (let depth = 0; type && depth < maxDepth; depth++) {
    const isInterface = type.isClassOrInterface()
    if (type.isTypeReference()) {
      const target = type.getTarget()
      const parameters = target.isClassOrInterface() ? target.getTypeParameters() : []
      const at = parameters.findIndex(({ id }) => id === parameter.id)
      if (at >= 0) return checker.getTypeArguments(type)[at]
    }
    type = isInterface ? checker.getBaseTypes(type as InterfaceType)[0] : undefined
  }
  return undefined
}

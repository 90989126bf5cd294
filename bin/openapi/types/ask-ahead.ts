/** Requests facts about many types and their members at once, before they are read one by one. */
import type { Type, TypeProgram } from "../../tools/typescript/program.ts"
import type { CallOrigins } from "./calls-of-file.ts"
import { isSent } from "./members.ts"
import type { Steps } from "./steps.ts"
import { extrasOf, isArray, isOfRuntime, isTuple } from "./syntax-of-types.ts"

/** Types that handlers use. */
export interface TypesOfCalls {
  /** Result types of calls that may respond or throw. */
  readonly answers: readonly Type[]
  /** Result types of calls that bind a body. */
  readonly bodies: readonly Type[]
}

/** Deeper members of a type are requested when they are read. */
const mostLevels = 30
/** Most types to keep in memory before they are read. */
const mostTypes = 20_000

/** Requests everything in some files that reading their functions will need. */
export function* askAboutFiles(
  files: readonly string[],
  origins: CallOrigins,
  program: TypeProgram,
): Steps<void> {
  try {
    yield files.map((file) => () => program.file(file))
    const sources = files.flatMap((file) => program.file(file) ?? [])
    yield* askAhead(yield* origins.prepare(sources), program)
  } catch {
    // An error here occurs again when the function is read, and the warning then names the position.
  }
}

/**
 * Requests what `Shapes` and `answersOf` will need for some types. It only affects speed: the rest is
 * requested later.
 */
function* askAhead({ answers, bodies }: TypesOfCalls, program: TypeProgram): Steps<void> {
  const met = new Set<number>()
  let level = [...(yield* sentIn(answers, program)), ...(yield* argumentsIn(bodies, "Promise", program))]
  for (let depth = 0; level.length > 0 && depth < mostLevels && met.size < mostTypes; depth++) {
    const fresh = level.filter(({ id }) => !met.has(id) && met.add(id))
    level = yield* partsOf(fresh, program)
  }
}

/** Returns the data types of responses: the arguments of `TypedResponse`, also in a promise or a union. */
function* sentIn(types: readonly Type[], program: TypeProgram): Steps<Type[]> {
  const parts = [...(yield* argumentsIn(types, "Promise", program)), ...membersIn(types)]
  yield* askOf(parts, program)
  const all = [...types, ...parts, ...membersIn(parts)]
  return yield* argumentsIn(all, "TypedResponse", program)
}

function membersIn(types: readonly Type[]): Type[] {
  return types.flatMap((type) => (type.isUnionType() ? type.getTypes() : []))
}

function* argumentsIn(types: readonly Type[], name: string, program: TypeProgram): Steps<Type[]> {
  yield* askOf(types, program)
  return types.flatMap((type) => {
    const isWanted = type.isTypeReference() && type.getSymbol()?.name === name
    return isWanted ? program.checker.getTypeArguments(type) : []
  })
}

/** Returns the member types of some types. */
function* partsOf(types: readonly Type[], program: TypeProgram): Steps<Type[]> {
  const { checker } = program
  yield* askOf(types, program)
  const objects = types.filter((type) => isRead(type, program))
  yield objects.flatMap((type) => partQuestions(type, program))
  const plain = objects.filter((type) => isPlain(type, program))
  const symbols = plain.flatMap((type) => checker.getPropertiesOfType(type))
  const sent = symbols.filter((symbol) => !isOfRuntime(symbol) && isSent(symbol, program))
  if (sent.length > 0) yield [() => checker.getTypeOfSymbol(sent)]
  const properties = sent.length > 0 ? checker.getTypeOfSymbol(sent) : []
  const members = types.flatMap((type) => {
    if (type.isUnionType() || type.isIntersectionType()) return type.getTypes()
    return type.isTypeReference() ? checker.getTypeArguments(type) : []
  })
  return [...members, ...properties].filter((type) => type !== undefined)
}

/** Types that were requested about. After an update of a program, its types are other objects. */
const requested = new WeakSet<Type>()

/** Requests the facts that every type needs. */
function* askOf(types: readonly Type[], { checker }: TypeProgram): Steps<void> {
  const fresh = types.filter((type) => !requested.has(type))
  for (const type of fresh) requested.add(type)
  // Also with none: another part may have asked, and knows the answers when this one continues.
  yield fresh.flatMap((type) => [
    () => type.getSymbol(),
    () => type.getAliasSymbol(),
    () => type.getAliasTypeArguments(),
    ...(type.isUnionType() || type.isIntersectionType() ? [() => type.getTypes()] : []),
    ...(type.isTypeReference() ? [() => checker.getTypeArguments(type), () => type.getTarget()] : []),
  ])
}

/**
 * Returns true if the properties of a type are read: those of the runtime's and the framework's objects are
 * not.
 */
function isRead(type: Type, program: TypeProgram): boolean {
  if (!type.isObjectType() && !type.isIntersectionType()) return false
  if (isArray(type) || isTuple(type)) return false
  const symbol = type.getSymbol()
  // A type without a name may come from an alias of the runtime: `Partial<User>`.
  if (!symbol || symbol.name.startsWith("__")) return true
  const isFrameworks = symbol.declarations.some(({ path }) => program.frameworkModule(path) !== null)
  return !isFrameworks && !isOfRuntime(symbol)
}

function partQuestions(type: Type, program: TypeProgram): (() => unknown)[] {
  const { checker } = program
  const { signatures, index } = extrasOf(type, program)
  return [
    () => checker.getPropertiesOfType(type),
    ...(signatures ? [0, 1].map((kind) => () => checker.getSignaturesOfType(type, kind)) : []),
    ...(index ? [() => checker.getIndexInfosOfType(type)] : []),
  ]
}

/** Returns true if a type's properties are its data: it is not a function, and is not converted. */
function isPlain(type: Type, program: TypeProgram): boolean {
  const { checker } = program
  if (extrasOf(type, program).signatures && checker.getSignaturesOfType(type, 0).length > 0) return false
  return !checker.getPropertiesOfType(type).some(({ name }) => name === "toJSON")
}

/** Decides which types are plain data that a request can contain. */
import type { InterfaceType, Node, Type, TypeProgram, TypeSymbol } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import { findItemType, isArray, isRuntimeFile, isRuntimeSymbol, isTuple } from "./syntax-of-types.ts"

/** Returns why a type is not data; null if it is data. */
export function findDataProblem(type: Type, program: TypeProgram): string | null {
  const { checker, symbolFlags: s } = program
  if ([0, 1].some((kind) => checker.getSignaturesOfType(type, kind).length > 0)) return "is a function"
  const symbols = checker.getPropertiesOfType(type)
  const own = type.getSymbol()
  const methods = symbols.filter((symbol) => isMethod(symbol, program))
  if (methods.length > 0) {
    const isNamed = own && !own.name.startsWith("__")
    if (isNamed && isRuntimeSymbol(own)) return `is of type ${own.name}`
    if (isNamed && own.flags & s.Class) return `is a class with methods (${own.name})`
    // Methods with other names are found later, as properties that are functions.
    if (methods.some(({ name }) => name.startsWith("__@"))) return "is an object with methods"
  }
  return symbols.some((symbol) => isHidden(symbol, program)) ? "is a class with private members or getters" : null
}

/**
 * Returns the type of the items of an interface that extends an array without adding members; undefined for other
 * types.
 */
export function findListItem(type: Type, program: TypeProgram): Type | undefined {
  const { checker, symbolFlags: s } = program
  const symbol = type.getSymbol()
  if (!symbol || (symbol.flags & (s.Interface | s.Class)) !== s.Interface) return undefined
  const item = findItemType(type, program)
  if (!item) return undefined
  const isPlain = (base: Type) => isArray(base) || findListItem(base, program) !== undefined
  const hasNewMembers = [...symbol.getMembers().values()].some(({ flags }) => flags & (s.Property | s.Method))
  return !hasNewMembers && checker.getBaseTypes(type as InterfaceType).every(isPlain) ? item : undefined
}

function isMethod(symbol: TypeSymbol, { symbolFlags: s }: TypeProgram): boolean {
  return (symbol.flags & s.Method) !== 0
}

/** Returns true for a class member that is private or protected, or an accessor. */
function isHidden(symbol: TypeSymbol, program: TypeProgram): boolean {
  const { kinds, symbolFlags: s } = program
  if (symbol.name.startsWith("__#")) return true
  const { valueDeclaration } = symbol
  if (!valueDeclaration || isRuntimeFile(valueDeclaration.path)) return false
  const node = program.resolveNode(valueDeclaration) as SyntaxNode | undefined
  const inClass = node?.parent?.kind === kinds.ClassDeclaration || node?.parent?.kind === kinds.ClassExpression
  if (symbol.flags & s.Accessor) return inClass
  const keywords = [kinds.PrivateKeyword, kinds.ProtectedKeyword] as const
  const hasKeyword = node?.modifiers?.some(({ kind }) => (keywords as readonly Node["kind"][]).includes(kind)) ?? false
  // A parameter of a constructor may declare a private member.
  return (inClass || node?.kind === kinds.Parameter) && hasKeyword
}

/**
 * Returns the texts, numbers, lists and built-in objects in an intersection, without brands such as that in `string
 * & { __brand: "UserID" }`, which exist only for the type checker. Returns an empty list for an intersection of
 * objects.
 */
export function listPlainParts(type: Type, program: TypeProgram): readonly Type[] {
  if (!type.isIntersectionType()) return []
  const { flags: f } = program
  const parts = type.getTypes()
  const plain = parts.filter((part) => part.flags & (f.Primitive | f.TemplateLiteral))
  if (plain.length > 0) return plain
  // A tuple comes first, because it is more exact than other lists.
  const bases = [...parts.filter(isTuple), ...parts.filter((part) => isBase(part, program))]
  return parts.every((part) => bases.includes(part) || isBrand(part, program)) ? bases : []
}

function isBase(part: Type, program: TypeProgram): boolean {
  return isArray(part) || isConvertedType(part) || findListItem(part, program) !== undefined
}

function isConvertedType(type: Type): boolean {
  const symbol = type.getSymbol()
  return symbol !== undefined && ["Date", "File", "Blob"].includes(symbol.name) && isRuntimeSymbol(symbol)
}

function isBrand(type: Type, { checker }: TypeProgram): boolean {
  return type.isObjectType() && checker.getPropertiesOfType(type).every(({ name }) => /^_/.test(name))
}

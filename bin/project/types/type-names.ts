/** The name under which a type is shared: its own, as its source declares it. Called by `shapes.ts`. */
import type { Type, TypeProgram, TypeSymbol } from "../typescript.ts"
import { commentOf } from "./comments.ts"

/** A name, and the declaration that it comes from. */
export interface TypeName {
  readonly name: string
  /** Relative to the project. */
  readonly file: string
  /** Which node of the file. */
  readonly position: number
  readonly comment?: string
}

/** The name of an interface, a class, an enum or an alias; null for what has none, or one that is a tool's. */
export function nameOf(type: Type, program: TypeProgram): TypeName | null {
  const alias = type.getAliasSymbol()
  if (alias) return named(alias, type.getAliasTypeArguments() ?? [], type, program)
  const { symbolFlags: s, checker } = program
  const symbol = type.getSymbol()
  if (!symbol || !(symbol.flags & (s.Interface | s.Class | s.Enum))) return null
  const args = type.isTypeReference() && !type.isUnionType() ? checker.getTypeArguments(type) : []
  return named(symbol, args, type, program)
}

function named(symbol: TypeSymbol, args: readonly Type[], type: Type, program: TypeProgram): TypeName | null {
  const [handle] = symbol.declarations
  if (!handle || symbol.name.startsWith("__") || symbol.name === "default") return null
  const { path } = handle
  const foreign = !program.isOwn(path)
  // Generic types of packages are their tools, such as Partial and Simplify; so is a union such as Nullable<T>.
  if (args.length > 0 && (foreign || type.isUnionType())) return null
  if (foreign && (isRuntime(path) || program.frameworkModule(path) !== null)) return null
  const parts = args.map((arg) => word(arg, program, 0))
  // Asked for last: it brings the whole file here.
  const node = parts.includes(null) ? undefined : program.resolve(handle)
  if (!node) return null
  const comment = commentOf(node, program)
  const name = symbol.name + parts.join("")
  return {
    name,
    file: program.relative(node.getSourceFile().fileName),
    position: handle.index,
    ...(comment && { comment }),
  }
}

/** Whether a file declares the language or a runtime. */
export function isRuntime(path: string): boolean {
  return /(?:^|\/)lib\.[\w.]*d\.ts$|\/@types\/(?:node|bun|deno)\//.test(path)
}

/** A type argument as part of a name: `Task[]` is `TaskArray`; null where none can be made. */
function word(type: Type, program: TypeProgram, depth: number): string | null {
  const { flags: f, checker } = program
  if (depth > 2) return null
  if (type.isStringLiteralType() || type.isNumberLiteralType()) return capital(String(type.value)) || null
  if (type.flags & (f.Intrinsic & ~f.NonPrimitive)) return capital(checker.typeToString(type))
  const name = nameOf(type, program)
  if (name) return capital(name.name)
  if (checker.isArrayType(type) && type.isTypeReference()) {
    const [item] = checker.getTypeArguments(type)
    const inner = item ? word(item, program, depth + 1) : null
    return inner && `${inner}Array`
  }
  if (type.isUnionType()) {
    const parts = type.getTypes().map((part) => word(part, program, depth + 1))
    return parts.length > 3 || parts.includes(null) ? null : parts.join("Or")
  }
  return type.getSymbol()?.name === "Date" ? "Date" : null
}

function capital(text: string): string {
  const clean = text.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) =>
    (next ?? "").toUpperCase(),
  )
  return clean.charAt(0).toUpperCase() + clean.slice(1)
}

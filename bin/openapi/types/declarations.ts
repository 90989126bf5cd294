/** What the declarations of a property say. A type may take a property from several others, and change it on the way. */
import { readComment } from "../../../lib/openapi/comment.ts"
import { limitsIn } from "../../../lib/openapi/constraints.ts"
import type { Node, Type, TypeProgram, TypeSymbol } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import { commentOf } from "./comments.ts"
import { isRuntime } from "./syntax-of-types.ts"

/** The declarations of a property. */
export interface Declared {
  readonly nodes: readonly Node[]
  /** The comments that count for its values. */
  readonly comments: readonly string[]
  /** True if a mapped type such as `Partial<T>` made it optional. */
  readonly isPartial: boolean
}

const nothing: Declared = { nodes: [], comments: [], isPartial: false }
/** The sources of a computed type may be computed themselves, as in `Partial<Omit<User, "id">>`. */
const mostSources = 6

/** Returns the declarations of a property of a type. */
export function declaredIn(owner: Type, symbol: TypeSymbol, program: TypeProgram, depth = 0): Declared {
  const own = ownDeclarations(symbol, program)
  const isPlain = symbol.declarations.length < 2 && !own.comments.some((one) => one.includes("@default"))
  if (isPlain || depth > mostSources) return own
  const { checker, objectFlags } = program
  const found = partsWith(owner, symbol, program).flatMap((part) => {
    const inner = checker.getPropertyOfType(part, symbol.name)
    return inner ? [declaredIn(part, inner, program, depth + 1)] : []
  })
  if (owner.isUnionType()) return { ...common(found), isPartial: found.some(({ isPartial }) => isPartial) }
  if (owner.isObjectType() && owner.objectFlags & objectFlags.Mapped) {
    const [source = own] = found
    return { ...source, isPartial: optionalityOf(owner, program) ?? source.isPartial }
  }
  if (found.length === 0) return own
  return {
    nodes: found.flatMap(({ nodes }) => nodes),
    comments: [...new Set(found.flatMap(({ comments }) => comments))],
    isPartial: found.every(({ isPartial }) => isPartial),
  }
}

function ownDeclarations(symbol: TypeSymbol, program: TypeProgram): Declared {
  const handles = symbol.declarations.filter(({ path }) => !isRuntime(path))
  const nodes = handles.flatMap((handle) => program.resolve(handle) ?? [])
  const each = nodes.map((node) => ({
    nodes: [node],
    comments: [commentOf(node, program) ?? []].flat(),
    isPartial: false,
  }))
  const [first = nothing] = each
  // Declarations of one interface count together; those of several types may be those of a union.
  const isOne = each.every(({ nodes: [node] }) => nameOf(node?.parent) === nameOf(nodes[0]?.parent))
  if (each.length < 2) return first
  return isOne ? { ...first, nodes, comments: each.flatMap(({ comments }) => comments) } : common(each)
}

function nameOf(node: Node | undefined): string | Node | undefined {
  return (node as (Node & { readonly name?: { readonly text?: string } }) | undefined)?.name?.text ?? node
}

/** Returns what all members of a union say: the tags that each of them has. */
function common(members: readonly Declared[]): Declared {
  const [first = nothing, ...others] = members
  const tagsOf = ({ comments }: Declared) =>
    comments.flatMap((one) => readComment(one).tags.map(({ name, text }) => `@${name} ${text}`))
  const sets = others.map(tagsOf)
  const shared = tagsOf(first).filter((tag) => sets.every((tags) => tags.includes(tag)))
  const texts = first.comments.map((one) => readComment(one).text)
  const comment = [...texts, ...shared].join("\n").trim()
  return { nodes: first.nodes.slice(0, 1), comments: comment === "" ? [] : [comment], isPartial: false }
}

/** Returns the types from which a type has a property. */
function partsWith(owner: Type, symbol: TypeSymbol, program: TypeProgram): Type[] {
  const { checker, objectFlags: o } = program
  const isInherited = () => {
    const own = owner.getSymbol()?.declarations.map((handle) => program.resolve(handle)) ?? []
    return !own.includes(program.resolve(symbol.declarations[0])?.parent)
  }
  const parts =
    owner.isUnionType() || owner.isIntersectionType()
      ? owner.getTypes()
      : owner.isObjectType() && owner.objectFlags & o.Mapped
        ? sourcesOf(owner, program)
        : owner.isClassOrInterface() && isInherited()
          ? checker.getBaseTypes(owner)
          : []
  return parts.filter((part) => checker.getPropertyOfType(part, symbol.name))
}

/** Returns the types that a mapped type is made of, as far as its alias or its source shows them. */
export function sourcesOf(mapped: Type, program: TypeProgram): readonly Type[] {
  const { checker } = program
  const given = mapped.getAliasTypeArguments() ?? []
  if (given.length > 0) return given
  const alias = program.resolve(mapped.getAliasSymbol()?.declarations[0]) as SyntaxNode | undefined
  const written = mappedNode(mapped, program)?.typeParameter?.constraint?.type
  const nodes = [...(alias?.type?.typeArguments ?? []), ...(written ? [written] : [])]
  return nodes.flatMap((node) => checker.getTypeFromTypeNode(node as never) ?? [])
}

function mappedNode(mapped: Type, program: TypeProgram): SyntaxNode | undefined {
  return program.resolve(mapped.getSymbol()?.declarations[0]) as SyntaxNode | undefined
}

/** Returns true if a mapped type makes its properties optional, false if it makes them required; undefined if neither. */
function optionalityOf(mapped: Type, program: TypeProgram): boolean | undefined {
  const token = mappedNode(mapped, program)?.questionToken?.kind
  return token === undefined ? undefined : token !== program.kinds.MinusToken
}

/** Returns the properties with limits that a mapped type gives other names. Nothing links them to their new names. */
export function renamedProperties(owner: Type, program: TypeProgram): { node: Node; name: string }[] {
  const { checker, objectFlags } = program
  const isMapped = owner.isObjectType() && (owner.objectFlags & objectFlags.Mapped) !== 0
  if (!isMapped || !mappedNode(owner, program)?.nameType) return []
  return sourcesOf(owner, program).flatMap((source) =>
    checker
      .getPropertiesOfType(source)
      .filter(({ name }) => !checker.getPropertyOfType(owner, name))
      .flatMap((symbol) => {
        const { nodes, comments } = ownDeclarations(symbol, program)
        const isLimited = comments.some((one) => Object.keys(limitsIn(one)).length > 0)
        return nodes[0] && isLimited ? [{ node: nodes[0], name: symbol.name }] : []
      }),
  )
}

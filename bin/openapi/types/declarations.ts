/** Finds the declarations of a property. A type may get a property from several other types, and may change it. */

import type { Node, Type, TypeProgram, TypeSymbol } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import { readComment } from "../document/comment.ts"
import { readLimits } from "../document/constraints.ts"
import { readDocComment } from "./comments.ts"
import { isRuntimeFile } from "./syntax-of-types.ts"

/** The declarations of a property. */
export interface PropertyDeclarations {
  readonly nodes: readonly Node[]
  /** The comments that apply to the property's values. */
  readonly comments: readonly string[]
  /** True if a mapped type, such as `Partial<T>`, has made the property optional. */
  readonly isPartial: boolean
}

const noDeclarations: PropertyDeclarations = { nodes: [], comments: [], isPartial: false }
/** How many computed types to follow, as in `Partial<Omit<User, "id">>`. */
const maxSourceDepth = 6

/** Returns the declarations of a property of a type. */
export function findDeclarations(
  owner: Type,
  symbol: TypeSymbol,
  program: TypeProgram,
  depth = 0,
): PropertyDeclarations {
  const own = listOwnDeclarations(symbol, program)
  const isPlain = symbol.declarations.length < 2 && !own.comments.some((one) => one.includes("@default"))
  if (isPlain || depth > maxSourceDepth) return own
  const { checker, objectFlags } = program
  const found = listTypesWithProperty(owner, symbol, program).flatMap((part) => {
    const inner = checker.getPropertyOfType(part, symbol.name)
    return inner ? [findDeclarations(part, inner, program, depth + 1)] : []
  })
  if (owner.isUnionType()) return { ...keepCommonTags(found), isPartial: found.some(({ isPartial }) => isPartial) }
  if (owner.isObjectType() && owner.objectFlags & objectFlags.Mapped) {
    const [source = own] = found
    return { ...source, isPartial: makesOptional(owner, program) ?? source.isPartial }
  }
  if (found.length === 0) return own
  return {
    nodes: found.flatMap(({ nodes }) => nodes),
    comments: [...new Set(found.flatMap(({ comments }) => comments))],
    isPartial: found.every(({ isPartial }) => isPartial),
  }
}

function listOwnDeclarations(symbol: TypeSymbol, program: TypeProgram): PropertyDeclarations {
  const handles = symbol.declarations.filter(({ path }) => !isRuntimeFile(path))
  const nodes = handles.flatMap((handle) => program.resolveNode(handle) ?? [])
  const all = nodes.map((node) => ({
    nodes: [node],
    comments: [readDocComment(node, program) ?? []].flat(),
    isPartial: false,
  }))
  const [first = noDeclarations] = all
  // All declarations of one interface apply together. Declarations of several types may be those of a union.
  const isSameOwner = all.every(({ nodes: [node] }) => readName(node?.parent) === readName(nodes[0]?.parent))
  if (all.length < 2) return first
  return isSameOwner ? { ...first, nodes, comments: all.flatMap(({ comments }) => comments) } : keepCommonTags(all)
}

function readName(node: Node | undefined): string | Node | undefined {
  return (node as (Node & { readonly name?: { readonly text?: string } }) | undefined)?.name?.text ?? node
}

/** Combines the declarations in the members of a union. Only tags that all members have are kept. */
function keepCommonTags(members: readonly PropertyDeclarations[]): PropertyDeclarations {
  const [first = noDeclarations, ...others] = members
  const listTags = ({ comments }: PropertyDeclarations) =>
    comments.flatMap((one) => readComment(one).tags.map(({ name, text }) => `@${name} ${text}`))
  const sets = others.map(listTags)
  const shared = listTags(first).filter((tag) => sets.every((tags) => tags.includes(tag)))
  const texts = first.comments.map((one) => readComment(one).text)
  const comment = [...texts, ...shared].join("\n").trim()
  return { nodes: first.nodes.slice(0, 1), comments: comment === "" ? [] : [comment], isPartial: false }
}

/** Returns the types from which a type gets a property. */
function listTypesWithProperty(owner: Type, symbol: TypeSymbol, program: TypeProgram): Type[] {
  const { checker, objectFlags: o } = program
  const isInherited = () => {
    const own = owner.getSymbol()?.declarations.map((handle) => program.resolveNode(handle)) ?? []
    return !own.includes(program.resolveNode(symbol.declarations[0])?.parent)
  }
  const parts =
    owner.isUnionType() || owner.isIntersectionType()
      ? owner.getTypes()
      : owner.isObjectType() && owner.objectFlags & o.Mapped
        ? listSourceTypes(owner, program)
        : owner.isClassOrInterface() && isInherited()
          ? checker.getBaseTypes(owner)
          : []
  return parts.filter((part) => checker.getPropertyOfType(part, symbol.name))
}

/** Returns the types from which a mapped type is made, as far as its alias or its declaration tells. */
function listSourceTypes(mapped: Type, program: TypeProgram): readonly Type[] {
  const { checker } = program
  const given = mapped.getAliasTypeArguments() ?? []
  if (given.length > 0) return given
  const alias = program.resolveNode(mapped.getAliasSymbol()?.declarations[0]) as SyntaxNode | undefined
  const constraintNode = findMappedNode(mapped, program)?.typeParameter?.constraint?.type
  const nodes = [...(alias?.type?.typeArguments ?? []), ...(constraintNode ? [constraintNode] : [])]
  return nodes.flatMap((node) => checker.getTypeFromTypeNode(node as never) ?? [])
}

function findMappedNode(mapped: Type, program: TypeProgram): SyntaxNode | undefined {
  return program.resolveNode(mapped.getSymbol()?.declarations[0]) as SyntaxNode | undefined
}

/**
 * Returns true if a mapped type makes properties optional, false if it makes them required, undefined if it does
 * neither.
 */
function makesOptional(mapped: Type, program: TypeProgram): boolean | undefined {
  const token = findMappedNode(mapped, program)?.questionToken?.kind
  return token === undefined ? undefined : token !== program.kinds.MinusToken
}

/**
 * Returns the properties with limits that a mapped type has renamed. TypeScript does not tell what their new names
 * are, so the limits are lost.
 */
export function findRenamedProperties(owner: Type, program: TypeProgram): { node: Node; name: string }[] {
  const { checker, objectFlags } = program
  const isMapped = owner.isObjectType() && (owner.objectFlags & objectFlags.Mapped) !== 0
  if (!isMapped || !findMappedNode(owner, program)?.nameType) return []
  return listSourceTypes(owner, program).flatMap((source) =>
    checker
      .getPropertiesOfType(source)
      .filter(({ name }) => !checker.getPropertyOfType(owner, name))
      .flatMap((symbol) => {
        const { nodes, comments } = listOwnDeclarations(symbol, program)
        const isLimited = comments.some((one) => Object.keys(readLimits(one)).length > 0)
        return nodes[0] && isLimited ? [{ node: nodes[0], name: symbol.name }] : []
      }),
  )
}

/** Groups the members of unions, and finds the property that distinguishes them. */
import { findDiscriminator } from "../openapi/document/discriminator.ts"
import type { TypeData } from "../openapi/document/model.ts"
import { isLeaf } from "./leaves.ts"
import type { InputMode, ValidatorFile } from "./validator-file.ts"

/** The members of a union, in groups that are easy to distinguish. */
export interface UnionMembers {
  readonly leaves: readonly TypeData[]
  readonly lists: readonly TypeData[]
  readonly objects: readonly TypeData[]
}

/** Returns the members of a union in groups. Nested unions are flattened. */
export function groupMembers({ members }: Extract<TypeData, { kind: "union" }>, file: ValidatorFile): UnionMembers {
  const flat = members.flatMap((member): readonly TypeData[] => {
    const plain = file.resolvePlain(member)
    if (plain.kind !== "union") return [member]
    const inner = groupMembers(plain, file)
    return [...inner.leaves, ...inner.lists, ...inner.objects]
  })
  const isList = (type: TypeData) => ["array", "tuple"].includes(file.resolvePlain(type).kind)
  return {
    leaves: flat.filter((type) => isLeaf(type, file)),
    lists: flat.filter(isList),
    objects: flat.filter((type) => file.resolvePlain(type).kind === "object"),
  }
}

/**
 * Returns the property that distinguishes objects. In values that are sent as texts, only literals that are texts
 * can distinguish them.
 */
export function chooseDiscriminator(objects: readonly TypeData[], mode: InputMode, file: ValidatorFile) {
  const plain = objects.map((type) => file.resolvePlain(type))
  const resolve = (type: TypeData) => file.resolvePlain(type)
  const accepts = (value: unknown) => mode === "json" || typeof value === "string"
  return findDiscriminator(
    plain.map((type) => (type.kind === "object" ? type : null)),
    resolve,
    accepts,
  )
}

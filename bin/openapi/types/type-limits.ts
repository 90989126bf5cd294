/** Adds the limits in comments to types. */
import type { TypeData } from "../document/model.ts"

/**
 * Returns a type with the tags of a comment.
 *
 * @param subject the property, type or tuple item that has the comment, as messages name it.
 */
export function addLimits(type: TypeData, subject: string, comment: string | undefined): TypeData {
  const isValue = type.kind !== "never" && type.kind !== "nothing"
  return comment?.includes("@") && isValue ? { kind: "all", members: [type], tags: { subject, comment } } : type
}

/** Returns the intersection of several types. */
export function intersectTypes(types: readonly TypeData[]): TypeData {
  const members = [...new Map(types.map((type) => [JSON.stringify(type), type])).values()]
  return members.length === 1 ? (members[0] as TypeData) : { kind: "all", members }
}

/** Lists the literals in a type. */
import type { Type, TypeProgram } from "../../tools/typescript/program.ts"

/** Returns the numbers in a type or in the constraint of a type parameter; null if any number is possible. */
export function listNumbers(original: Type, { checker, flags }: TypeProgram): number[] | null {
  const isOpen = (original.flags & flags.Instantiable) !== 0
  const type = (isOpen && checker.getBaseConstraintOfType(original)) || original
  const parts = type.isUnionType() ? type.getTypes() : [type]
  const numbers = parts.flatMap((part) => (part.isNumberLiteralType() ? [part.value] : []))
  return numbers.length === parts.length ? numbers : null
}

/** Returns the texts in a type; undefined if any text is possible. */
export function listTexts(type: Type): string[] | undefined {
  const parts = type.isUnionType() ? type.getTypes() : [type]
  const texts = parts.flatMap((part) => (part.isStringLiteralType() ? [part.value] : []))
  return texts.length === parts.length ? texts : undefined
}

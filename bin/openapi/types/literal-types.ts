/** The literals that a type lists. */
import type { Type, TypeProgram } from "../../tools/typescript/program.ts"

/** Returns the numbers that a type lists, or that its type parameter may be; null if it may be any number. */
export function listNumbers(given: Type, { checker, flags }: TypeProgram): number[] | null {
  const isOpen = (given.flags & flags.Instantiable) !== 0
  const type = (isOpen && checker.getBaseConstraintOfType(given)) || given
  const parts = type.isUnionType() ? type.getTypes() : [type]
  const numbers = parts.flatMap((part) => (part.isNumberLiteralType() ? [part.value] : []))
  return numbers.length === parts.length ? numbers : null
}

/** Returns the texts that a type lists; undefined if it may be any text. */
export function listTexts(type: Type): string[] | undefined {
  const parts = type.isUnionType() ? type.getTypes() : [type]
  const texts = parts.flatMap((part) => (part.isStringLiteralType() ? [part.value] : []))
  return texts.length === parts.length ? texts : undefined
}

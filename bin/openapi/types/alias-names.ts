/**
 * Finds the type aliases of a project to which TypeScript gives no identity of their own, because the type is
 * inferred.
 */
import { readFileSync } from "node:fs"
import type { Type, TypeProgram, TypeSymbol } from "../../tools/typescript/program.ts"

/**
 * Matches an alias without parameters for a computed type: `type User = z.infer<typeof user>`, `typeof user.infer`,
 * `Row["user"]`. For a type that is written out, TypeScript keeps the alias itself.
 */
const computedAliasPattern =
  /^[ \t]*(?:export[ \t]+)?(?:declare[ \t]+)?type[ \t]+([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=\s*\|?\s*(?=typeof\b|\(\s*typeof\b|[\p{ID_Start}$_][\p{ID_Continue}$.]*\s*[<[])/gmu

/** An alias, and its rank among those of the same type. */
interface Alias {
  readonly symbol: TypeSymbol
  readonly rank: string
}

/** Finds the aliases of inferred types. Files are searched only when the first inferred type occurs. */
export class AliasNames {
  readonly #program: TypeProgram
  #byType: ReadonlyMap<number, Alias> | undefined

  constructor(program: TypeProgram) {
    this.#program = program
  }

  /** Returns the alias of a type that has no name itself. */
  findAlias(type: Type): TypeSymbol | undefined {
    if (!this.#mayHaveAlias(type)) return undefined
    this.#byType ??= this.#readAliases()
    return this.#byType.get(type.id)?.symbol
  }

  /**
   * Returns false for lists, dictionaries and unions of plain texts. They are the same type wherever they are
   * written, so an alias in one place must not name them in another.
   */
  #mayHaveAlias(type: Type): boolean {
    const { flags: f } = this.#program
    if (type.isUnionType()) {
      const isDistinct = (part: Type) => (part.flags & (f.Object | f.Intersection | f.StringLiteral)) !== 0
      return type.getTypes().every(isDistinct)
    }
    const name = type.getSymbol()?.name
    if (type.isTypeReference() && (name === "Array" || name === "ReadonlyArray")) return false
    return type.getAliasSymbol()?.name !== "Record"
  }

  #readAliases(): ReadonlyMap<number, Alias> {
    const { checker, symbolFlags: s } = this.#program
    const found = new Map<number, Alias>()
    for (const path of this.#program.listOwnFiles()) {
      const text = readTextOrEmpty(path)
      const matches = [...text.matchAll(computedAliasPattern)]
      if (matches.length === 0) continue
      const positions = matches.map(
        ({ 0: all, 1: name = "", index }) => index + all.lastIndexOf(name, all.indexOf("=")),
      )
      const symbols = checker.getSymbolAtPosition(path, positions)
      for (const [i, symbol] of symbols.entries()) {
        if (!symbol || !(symbol.flags & s.TypeAlias)) continue
        const type = checker.getDeclaredTypeOfSymbol(symbol)
        const match = matches[i] as RegExpMatchArray
        const rank = rankAlias(text, match, path)
        const known = found.get(type.id)
        if (!known || rank < known.rank) found.set(type.id, { symbol, rank })
      }
    }
    return found
  }
}

/**
 * Returns the rank of an alias as a text to compare: an alias in the file of its value comes first, then exported
 * aliases, then in the order of files.
 */
function rankAlias(text: string, { 0: all, 1: name, index = 0 }: RegExpMatchArray, path: string): string {
  const [line = ""] = text.slice(index + all.length).split("\n", 1)
  const source = /typeof\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)/u.exec(line)?.[1]
  const isHere =
    source !== undefined &&
    new RegExp(`\\b(?:const|let|var|class|function)\\s+${source.replaceAll("$", "\\$")}(?![\\w$])`).test(text)
  return `${isHere ? 0 : 1}${/\bexport\b/.test(all) ? 0 : 1}${path}:${name}`
}

/** Returns the text of a file; `""` if the file is not on the disk. */
export function readTextOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

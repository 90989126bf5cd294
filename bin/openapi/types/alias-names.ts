/** Aliases of the project whose type TypeScript does not tell from what it was inferred from. Called by `type-names.ts`. */
import { readFileSync } from "node:fs"
import type { Type, TypeProgram, TypeSymbol } from "../../tools/typescript/program.ts"

/**
 * An alias without parameters of something that is computed: `type User = z.infer<typeof user>`, `typeof user.infer`,
 * `Row["user"]`. Aliases of what is written out keep their name by themselves.
 */
const computed =
  /^[ \t]*(?:export[ \t]+)?(?:declare[ \t]+)?type[ \t]+([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=\s*\|?\s*(?=typeof\b|\(\s*typeof\b|[\p{ID_Start}$_][\p{ID_Continue}$.]*\s*[<[])/gmu

/** An alias, and how near it is to what it is of. */
interface Alias {
  readonly symbol: TypeSymbol
  readonly rank: string
}

/** The names that aliases give to inferred types. The files are read when the first such type is met. */
export class AliasNames {
  readonly #program: TypeProgram
  #byType: ReadonlyMap<number, Alias> | undefined

  constructor(program: TypeProgram) {
    this.#program = program
  }

  /** The alias of a type that has no name by itself. */
  of(type: Type): TypeSymbol | undefined {
    if (!this.#mayHave(type)) return undefined
    this.#byType ??= this.#read()
    return this.#byType.get(type.id)?.symbol
  }

  /**
   * A list, a dictionary or a union with plain texts is one type wherever it is written, and an alias of one of them
   * says nothing of the others.
   */
  #mayHave(type: Type): boolean {
    const { flags: f } = this.#program
    if (type.isUnionType()) {
      const isTelling = (part: Type) => (part.flags & (f.Object | f.Intersection | f.StringLiteral)) !== 0
      return type.getTypes().every(isTelling)
    }
    const name = type.getSymbol()?.name
    if (type.isTypeReference() && (name === "Array" || name === "ReadonlyArray")) return false
    return type.getAliasSymbol()?.name !== "Record"
  }

  #read(): ReadonlyMap<number, Alias> {
    const { checker, symbolFlags: s } = this.#program
    const found = new Map<number, Alias>()
    for (const path of this.#program.ownFiles()) {
      const text = textOf(path)
      const matches = [...text.matchAll(computed)]
      if (matches.length === 0) continue
      const positions = matches.map(
        ({ 0: all, 1: name = "", index }) => index + all.lastIndexOf(name, all.indexOf("=")),
      )
      const symbols = checker.getSymbolAtPosition(path, positions)
      for (const [i, symbol] of symbols.entries()) {
        if (!symbol || !(symbol.flags & s.TypeAlias)) continue
        const type = checker.getDeclaredTypeOfSymbol(symbol)
        const rank = rankOf(text, matches[i] as RegExpMatchArray, path)
        const known = found.get(type.id)
        if (!known || rank < known.rank) found.set(type.id, { symbol, rank })
      }
    }
    return found
  }
}

/** Of several aliases, the one that stands with what it is of counts, then one that is exported, then by file. */
function rankOf(text: string, { 0: all, 1: name, index = 0 }: RegExpMatchArray, path: string): string {
  const [line = ""] = text.slice(index + all.length).split("\n", 1)
  const source = /typeof\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)/u.exec(line)?.[1]
  const isHere =
    source !== undefined &&
    new RegExp(`\\b(?:const|let|var|class|function)\\s+${source.replaceAll("$", "\\$")}(?![\\w$])`).test(text)
  return `${isHere ? 0 : 1}${/\bexport\b/.test(all) ? 0 : 1}${path}:${name}`
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // A file that is not on disk has no aliases of the project's.
    return ""
  }
}

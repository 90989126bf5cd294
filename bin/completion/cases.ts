/** Shell code that the completion scripts of bash and zsh have in common. */
import type { Entry, FlagWords, TakesValue } from "./words.ts"

/** A text between single quotes, for bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** The spellings of a flag. */
function spellings({ long, short }: FlagWords): string[] {
  return short === undefined ? [long] : [long, short]
}

/** Code of bash and zsh for each word before the one that is completed: `place` becomes the path of the command that it leads to. */
export function placeStep(entries: readonly Entry[]): string {
  const paths = entries.filter(({ path }) => path !== "").map(({ path }) => quoted(path))
  return `    [[ $word == -* ]] && continue
    case "\${place:+$place }$word" in
      ${paths.join(" | ")}) place="\${place:+$place }$word" ;;
      *) break ;;
    esac
`
}

/**
 * The cases of bash and zsh for what follows a flag with a value. Several flags of a command may take the same.
 *
 * @param offer the code that offers such values.
 */
export function valueCases(
  entries: readonly Entry[],
  offer: (takes: TakesValue, flag: FlagWords) => string,
): string {
  const cases = entries.flatMap(({ path, flags }) =>
    flags.map((flag) => {
      if (flag.takes.kind === "nothing") return ""
      const labels = spellings(flag).map((name) => quoted(`${path}:${name}`))
      return `    ${labels.join(" | ")}) ${offer(flag.takes, flag)}; return ;;\n`
    }),
  )
  return cases.join("")
}

/** Shell code that the completion scripts of bash and zsh share. */
import type { Entry, FlagWords, TakesValue } from "./words.ts"

/** Quotes a text with single quotes, for bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Returns the spellings of a flag. */
function spellings({ long, short }: FlagWords): string[] {
  return short === undefined ? [long] : [long, short]
}

/**
 * Returns code for bash and zsh that runs for each word before the completed one: `place` becomes the path of
 * the command that the words name.
 */
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
 * Returns the cases for bash and zsh that complete the value of a flag. Flags of one command with the same
 * values share a case.
 *
 * @param offer makes the code that offers such values.
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

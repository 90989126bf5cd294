/** Shell code that the completion scripts of bash and zsh share. */
import type { CompletionEntry, FlagValueKind, FlagWords } from "./entries.ts"

/** Quotes a text with single quotes, for bash and zsh. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Returns the spellings of a flag. */
function listSpellings({ long, short }: FlagWords): string[] {
  return short === undefined ? [long] : [long, short]
}

/**
 * Returns code for bash and zsh that runs for each word before the cursor. It sets `place` to the path of the
 * command that the words name.
 */
export function renderPlaceStep(entries: readonly CompletionEntry[]): string {
  const paths = entries.filter(({ path }) => path !== "").map(({ path }) => quote(path))
  return `    [[ $word == -* ]] && continue
    case "\${place:+$place }$word" in
      ${paths.join(" | ")}) place="\${place:+$place }$word" ;;
      *) break ;;
    esac
`
}

/**
 * Returns the cases for bash and zsh that complete the value of a flag. Flags of a command with the same values
 * share a case.
 *
 * @param offer returns the code that completes a value of a flag.
 */
export function renderValueCases(
  entries: readonly CompletionEntry[],
  offer: (takes: FlagValueKind, flag: FlagWords) => string,
): string {
  const cases = entries.flatMap(({ path, flags }) =>
    flags.map((flag) => {
      if (flag.takes.kind === "nothing") return ""
      const labels = listSpellings(flag).map((name) => quote(`${path}:${name}`))
      return `    ${labels.join(" | ")}) ${offer(flag.takes, flag)}; return ;;\n`
    }),
  )
  return cases.join("")
}

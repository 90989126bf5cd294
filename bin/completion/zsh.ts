/** Generates the completion script for zsh. It works with `eval` and in a directory of `$fpath`. */
import { quote, renderPlaceStep, renderValueCases } from "./cases.ts"
import type { CompletionEntry, FlagValueKind, FlagWords } from "./entries.ts"

/** Returns the script. It contains all commands, so that completion starts no program. */
export function renderZshScript(entries: readonly CompletionEntry[]): string {
  return `#compdef fw
# fw completion for zsh. Written by "fw completion zsh".

_fw() {
  local place="" flag="\${words[CURRENT-1]}" word i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
${renderPlaceStep(entries)}  done
  if [[ $PREFIX == --*=* ]]; then
    flag="\${PREFIX%%=*}"
    compset -P '*='
  fi
  case "$place:$flag" in
${renderValueCases(entries, renderValues)}  esac
  case "$place" in
${entries.map(renderPlaceCase).join("")}  esac
}

if [[ $funcstack[1] == _fw ]]; then
  _fw "$@"
else
  compdef _fw fw
fi
`
}

function renderValues(takes: FlagValueKind, { description }: FlagWords): string {
  switch (takes.kind) {
    case "text":
      return `_message ${quote(description)}`
    case "file":
      return "_files"
    case "directory":
      return "_files -/"
    case "words": {
      const add = `compadd -- ${takes.words.map(quote).join(" ")}`
      return takes.list ? `compset -P '*,'; ${add}` : add
    }
  }
}

function renderPlaceCase({ path, commands, values, takesFiles, flags }: CompletionEntry): string {
  const described = flags.map(({ long, description }) => renderItem(long, description)).join(" ")
  const words =
    commands.length > 0
      ? `found=(${commands.map(({ name, summary }) => renderItem(name, summary)).join(" ")}); _describe 'command' found`
      : values.length > 0
        ? `compadd -- ${values.map(quote).join(" ")}`
        : takesFiles
          ? "_files"
          : ":"
  return `    ${quote(path)})
      if [[ $PREFIX == -* ]]; then found=(${described}); _describe 'flag' found
      else ${words}; fi ;;
`
}

/** Returns a word and its description, separated by a colon. */
function renderItem(word: string, description: string): string {
  return quote(`${word.replaceAll(":", "\\:")}:${description.replaceAll(":", "\\:")}`)
}

/** The completion script of zsh, for `eval` and for a directory of `$fpath`. */
import { placeStep, quoted, valueCases } from "./cases.ts"
import type { Entry, FlagWords, TakesValue } from "./words.ts"

/** Returns the script. It contains the table of commands, so completing starts no program. */
export function zshScript(entries: readonly Entry[]): string {
  return `#compdef fw
# fw completion for zsh. Written by "fw completion zsh".

_fw() {
  local place="" flag="\${words[CURRENT-1]}" word i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
${placeStep(entries)}  done
  if [[ $PREFIX == --*=* ]]; then
    flag="\${PREFIX%%=*}"
    compset -P '*='
  fi
  case "$place:$flag" in
${valueCases(entries, offer)}  esac
  case "$place" in
${entries.map(placeCase).join("")}  esac
}

if [[ $funcstack[1] == _fw ]]; then
  _fw "$@"
else
  compdef _fw fw
fi
`
}

function offer(takes: TakesValue, { description }: FlagWords): string {
  switch (takes.kind) {
    case "text":
      return `_message ${quoted(description)}`
    case "file":
      return "_files"
    case "directory":
      return "_files -/"
    case "words": {
      const add = `compadd -- ${takes.words.map(quoted).join(" ")}`
      return takes.list ? `compset -P '*,'; ${add}` : add
    }
  }
}

function placeCase({ path, commands, values, takesFiles, flags }: Entry): string {
  const described = flags.map(({ long, description }) => item(long, description)).join(" ")
  const words =
    commands.length > 0
      ? `found=(${commands.map(({ name, summary }) => item(name, summary)).join(" ")}); _describe 'command' found`
      : values.length > 0
        ? `compadd -- ${values.map(quoted).join(" ")}`
        : takesFiles
          ? "_files"
          : ":"
  return `    ${quoted(path)})
      if [[ $PREFIX == -* ]]; then found=(${described}); _describe 'flag' found
      else ${words}; fi ;;
`
}

/** Returns a word with its description, separated by a colon. */
function item(word: string, description: string): string {
  return quoted(`${word.replaceAll(":", "\\:")}:${description.replaceAll(":", "\\:")}`)
}

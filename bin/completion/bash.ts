/** Generates the completion script for bash, including version 3.2 of macOS. */
import { quote, renderPlaceStep, renderValueCases } from "./cases.ts"
import type { CompletionEntry, FlagValueKind } from "./entries.ts"

/** Returns the script. It contains all commands, so that completion starts no program. */
export function renderBashScript(entries: readonly CompletionEntry[]): string {
  return `# fw completion for bash. Written by "fw completion bash".

_fw() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" flag="\${COMP_WORDS[COMP_CWORD-1]}" place="" word i
  local IFS=$'\\n'
  COMPREPLY=()
  # Bash splits --flag=value into three words.
  if [[ $cur == "=" ]]; then
    cur=""
  elif [[ $flag == "=" ]]; then
    flag="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
${renderPlaceStep(entries)}  done
  case "$place:$flag" in
${renderValueCases(entries, renderValues)}  esac
  case "$place" in
${entries.map(renderPlaceCase).join("")}  esac
}

# Lets bash quote spaces in names and append a slash to directories.
_fw_files() {
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$2"))
}

complete -F _fw fw
`
}

function renderValues(takes: FlagValueKind): string {
  switch (takes.kind) {
    case "text":
      return ":"
    case "file":
      return '_fw_files -f "$cur"'
    case "directory":
      return '_fw_files -d "$cur"'
    case "words":
      return takes.list ? renderList(takes.words) : renderWords(takes.words)
  }
}

function renderWords(words: readonly string[]): string {
  return words.length === 0 ? ":" : `COMPREPLY=($(compgen -W $'${words.join("\\n")}' -- "$cur"))`
}

/** Returns code that completes a list of words separated by commas. */
function renderList(words: readonly string[]): string {
  const before = `word=""; [[ $cur == *,* ]] && word="\${cur%,*},"; compopt -o nospace 2>/dev/null`
  return `${before}; COMPREPLY=($(compgen -P "$word" -W $'${words.join("\\n")}' -- "\${cur##*,}"))`
}

function renderPlaceCase({ path, commands, values, takesFiles, flags }: CompletionEntry): string {
  const words = commands.length > 0 ? commands.map(({ name }) => name) : values
  const names = flags.flatMap(({ long }) => [long])
  return `    ${quote(path)}) if [[ $cur == -* ]]; then ${renderWords(names)}; else ${takesFiles ? '_fw_files -f "$cur"' : renderWords(words)}; fi ;;\n`
}

/** The completion script of bash, also of the 3.2 that macOS has. Printed by `fw completion bash`. */
import { placeStep, quoted, valueCases } from "./cases.ts"
import type { Entry, TakesValue } from "./words.ts"

/** The script. It knows the table it was made of, and starts nothing. */
export function bashScript(entries: readonly Entry[]): string {
  return `# fw completion for bash. Written by "fw completion bash".

_fw() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" flag="\${COMP_WORDS[COMP_CWORD-1]}" place="" word i
  local IFS=$'\\n'
  COMPREPLY=()
  # Bash parts --flag=value into three words.
  if [[ $cur == "=" ]]; then
    cur=""
  elif [[ $flag == "=" ]]; then
    flag="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
${placeStep(entries)}  done
  case "$place:$flag" in
${valueCases(entries, offer)}  esac
  case "$place" in
${entries.map(placeCase).join("")}  esac
}

# Files and directories keep their blanks and get their slashes.
_fw_files() {
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$2"))
}

complete -F _fw fw
`
}

function offer(takes: TakesValue): string {
  switch (takes.kind) {
    case "text":
      return ":"
    case "file":
      return '_fw_files -f "$cur"'
    case "directory":
      return '_fw_files -d "$cur"'
    case "words":
      return takes.list ? listOf(takes.words) : wordsOf(takes.words)
  }
}

function wordsOf(words: readonly string[]): string {
  return words.length === 0 ? ":" : `COMPREPLY=($(compgen -W $'${words.join("\\n")}' -- "$cur"))`
}

/** After a comma the next value follows. */
function listOf(words: readonly string[]): string {
  const before = `word=""; [[ $cur == *,* ]] && word="\${cur%,*},"; compopt -o nospace 2>/dev/null`
  return `${before}; COMPREPLY=($(compgen -P "$word" -W $'${words.join("\\n")}' -- "\${cur##*,}"))`
}

function placeCase({ path, commands, values, flags }: Entry): string {
  const words = commands.length > 0 ? commands.map(({ name }) => name) : values
  const names = flags.flatMap(({ long }) => [long])
  return `    ${quoted(path)}) if [[ $cur == -* ]]; then ${wordsOf(names)}; else ${wordsOf(words)}; fi ;;\n`
}

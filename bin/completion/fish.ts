/** Generates the completion script for fish. */
import type { CompletionEntry, FlagWords } from "./entries.ts"

/** Returns the script. It contains all commands, so that completion starts no program. */
export function renderFishScript(entries: readonly CompletionEntry[]): string {
  const paths = entries.filter(({ path }) => path !== "").map(({ path }) => quote(path))
  return `# fw completion for fish. Written by "fw completion fish".

function __fw_at
  set -l known ${paths.join(" ")}
  set -l words (commandline -opc)
  set -l place ""
  for word in $words[2..-1]
    if string match -q -- "-*" $word
      continue
    end
    set -l next (string trim "$place $word")
    if contains -- $next $known
      set place $next
    else
      break
    end
  end
  test "$place" = "$argv[1]"
end

complete -c fw -f
${entries.flatMap(renderLines).join("")}`
}

function renderLines({ path, commands, values, takesFiles, flags }: CompletionEntry): string[] {
  const at = `complete -c fw -n ${quote(`__fw_at ${quote(path)}`)}`
  return [
    ...commands.map(({ name, summary }) => `${at} -a ${quote(name)} -d ${quote(summary)}\n`),
    ...(values.length > 0 ? [`${at} -a ${quote(values.join(" "))}\n`] : []),
    ...(takesFiles ? [`${at} -F\n`] : []),
    ...flags.map((flag) => `${at} ${renderFlag(flag)}\n`),
  ]
}

function renderFlag(flag: FlagWords): string {
  const { long, short, takes, description } = flag
  const names = `${short === undefined ? "" : `-s ${short.slice(1)} `}-l ${long.slice(2)}`
  return `${names} ${renderArgument(takes)}-d ${quote(description)}`
}

function renderArgument(takes: FlagWords["takes"]): string {
  switch (takes.kind) {
    case "nothing":
      return ""
    case "text":
      return "-x "
    case "file":
      return "-r -F "
    case "directory":
      return `-x -a ${quote("(__fish_complete_directories)")} `
    case "words":
      // fish replaces the whole word, so each value has the text up to the last comma in front.
      return takes.list
        ? `-x -a ${quote(`(string replace -r '[^,]*$' '' -- (commandline -ct | string replace -r '^-[^=]*=?' ''))${renderBraces(takes.words)}`)} `
        : `-x -a ${quote(takes.words.join(" "))} `
  }
}

function renderBraces(words: readonly string[]): string {
  return `{${words.join(",")}}`
}

/** Quotes a text with single quotes for fish. */
function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
}

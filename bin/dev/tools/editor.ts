/** Opens a position of the project in the developer's editor. */
import { spawn } from "node:child_process"
import { realpathSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import type { Io } from "../../cli/terminal.ts"
import { isInside } from "../../system/path-containment.ts"

/** A position in a file. */
interface EditorPlace {
  /** The absolute path. */
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Editors that need a terminal, which fw dev cannot give them. */
const terminalEditor = /^(?:vim?|nvim|nano|pico|micro|hx|helix|kak|ed|ne|joe|emacs|mg)$/

/**
 * Parses a position such as `app/page.tpl:3:7`. Returns null if it is not in a file of the project. Links are
 * resolved first, so that none leads outside.
 */
export function findEditorPlace(root: string, text: string): EditorPlace | null {
  const [, name = "", line = "1", column = "1"] = /^([^\0\n]+?)(?::(\d{1,7}))?(?::(\d{1,7}))?$/.exec(text) ?? []
  try {
    const file = realpathSync(join(root, name))
    return isInside(file, realpathSync(root)) && statSync(file).isFile()
      ? { file, line: Number(line), column: Number(column) }
      : null
  } catch {
    return null
  }
}

/**
 * Returns the program and its arguments for a position. `FW_EDITOR` may contain `{file}`, `{line}` and `{column}`.
 * An editor that needs a terminal is used only if `FW_EDITOR` names it.
 */
export function toEditorCommand(env: NodeJS.ProcessEnv, { file, line, column }: EditorPlace): [string, ...string[]] {
  const editor = [env.VISUAL, env.EDITOR].find(
    (command) => command?.trim() && !terminalEditor.test(toProgramName(command)),
  )
  const [program = "code", ...args] = (env.FW_EDITOR?.trim() || editor?.trim() || "code").split(/\s+/)
  const values: Readonly<Record<string, unknown>> = { file, line, column }
  const filledArgs = args.map((word) => word.replace(/\{(file|line|column)\}/g, (_, name) => String(values[name])))
  if (filledArgs.some((word, i) => word !== args[i])) return [program, ...filledArgs]
  return [program, ...args, ...toPlaceArguments(toProgramName(program), { file, line, column })]
}

/** Returns the arguments for a position, in the format of an editor. */
function toPlaceArguments(name: string, { file, line, column }: EditorPlace): string[] {
  if (/^(?:code|code-insiders|codium|vscodium|cursor|windsurf)$/.test(name)) return ["-g", `${file}:${line}:${column}`]
  if (/^(?:subl|zed|atom)$/.test(name)) return [`${file}:${line}:${column}`]
  if (/^(?:gvim|mvim|gedit|vim?|nvim|nano)$/.test(name)) return [`+${line}`, file]
  if (/^emacs/.test(name)) return [`+${line}:${column}`, file]
  if (/^(?:idea|webstorm|phpstorm|pycharm|goland)$/.test(name)) return ["--line", String(line), file]
  return [file]
}

function toProgramName(command: string): string {
  return basename(command.trim().split(/\s+/)[0] ?? "").replace(/\.(?:exe|cmd|bat)$/i, "")
}

/**
 * Opens a position such as `app/page.tpl:3:7`. Returns false if it is not in a file of the project.
 *
 * @throws the error of an editor that cannot be started, after a message in the terminal.
 */
export async function openInEditor(
  root: string,
  text: string,
  { env, stderr }: Pick<Io, "env" | "stderr">,
): Promise<boolean> {
  const location = findEditorPlace(root, text)
  if (!location) return false
  try {
    await startEditor(env, location)
  } catch (error) {
    const fix = "Set FW_EDITOR to the command of your editor, such as: code -g {file}:{line}:{column}"
    stderr.write(`the editor could not be started: ${(error as Error).message}\n  ${fix}\n`)
    throw error
  }
  return true
}

/** Starts the editor without a shell. Rejects if it cannot be started. */
function startEditor(env: NodeJS.ProcessEnv, place: EditorPlace): Promise<void> {
  const [program, ...args] = toEditorCommand(env, place)
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: "ignore", detached: true, shell: false })
    child.once("error", reject)
    child.once("spawn", () => {
      child.unref()
      resolve()
    })
  })
}

/** Finds the project that a command works on, from any directory in it. */
import { existsSync } from "node:fs"
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { optionName, type Spec } from "./spec.ts"

/** The directory and the options of a command. */
export interface CommandPlace {
  readonly cwd: string
  readonly options: Readonly<Record<string, unknown>>
}

/**
 * Moves a command to the root of the project: the nearest directory with a package.json. Paths on the command
 * line are relative to the current directory, so they are rewritten.
 *
 * @param given names of the options on the command line.
 */
export function inProject(
  spec: Spec,
  { cwd, options }: CommandPlace,
  given: readonly string[],
): CommandPlace {
  const root = spec.anywhere ? cwd : projectRoot(cwd)
  if (root === cwd) return { cwd, options }
  const moved: Record<string, unknown> = { ...options }
  for (const [name, flag] of Object.entries(spec.flags ?? {})) {
    const option = optionName(name)
    const value = options[option]
    const isPath = flag.type === "string" && ["dir", "file", "path"].includes(flag.value ?? "")
    if (!isPath || !given.includes(option) || typeof value !== "string" || value === "-") continue
    if (isAbsolute(value)) continue
    // A slash at the end marks a directory.
    const end = /[/\\]$/.test(value) ? "/" : ""
    moved[option] = `${relative(root, resolve(cwd, value)).split(sep).join("/") || "."}${end}`
  }
  return { cwd: root, options: moved }
}

/** Returns the nearest directory with a package.json; the directory itself if there is none above. */
function projectRoot(cwd: string): string {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) return at
    if (at === dirname(at)) return cwd
  }
}

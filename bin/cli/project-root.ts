/** The project that a command works on, from any directory in it. Used by `run.ts`. */
import { existsSync } from "node:fs"
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { optionName, type Spec } from "./spec.ts"

/** Where a command runs, and with which options. */
export interface Place {
  readonly cwd: string
  readonly options: Readonly<Record<string, unknown>>
}

/**
 * Moves a command to the top of the project: the nearest directory with a package.json. Paths that the command line gives
 * are relative to where it was typed, so they are written anew.
 *
 * @param given the names of the options that the command line gives.
 */
export function inProject(spec: Spec, { cwd, options }: Place, given: readonly string[]): Place {
  const root = spec.anywhere ? cwd : projectRoot(cwd)
  if (root === cwd) return { cwd, options }
  const moved: Record<string, unknown> = { ...options }
  for (const [name, flag] of Object.entries(spec.flags ?? {})) {
    const option = optionName(name)
    const value = options[option]
    const isPath = flag.type === "string" && ["dir", "file", "path"].includes(flag.value ?? "")
    if (!isPath || !given.includes(option) || typeof value !== "string" || value === "-") continue
    if (isAbsolute(value)) continue
    // A slash at the end says that it is a directory.
    const end = /[/\\]$/.test(value) ? "/" : ""
    moved[option] = `${relative(root, resolve(cwd, value)).split(sep).join("/") || "."}${end}`
  }
  return { cwd: root, options: moved }
}

/** The nearest directory that has a package.json; the directory itself where there is none above. */
function projectRoot(cwd: string): string {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) return at
    if (at === dirname(at)) return cwd
  }
}

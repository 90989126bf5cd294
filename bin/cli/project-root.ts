/** Finds the project that a command works on, from any directory inside it. */
import { existsSync, realpathSync } from "node:fs"
import { isAbsolute, relative, resolve, sep } from "node:path"
import { findNearestProject } from "./nearest-project.ts"
import { type Spec, toOptionName } from "./spec.ts"

/** The directory and the options of a command. */
export interface CommandContext {
  readonly cwd: string
  readonly options: Readonly<Record<string, unknown>>
}

/**
 * Moves a command to the root of the project, which is the nearest directory with a package.json. Paths on the
 * command line are relative to the current directory, so they are rewritten.
 *
 * @param optionNames names of the options on the command line.
 */
export function moveToProject(
  spec: Spec,
  { cwd, options }: CommandContext,
  optionNames: readonly string[],
): CommandContext {
  const root = spec.anywhere ? cwd : findNearestProject(cwd)
  if (root === cwd) return { cwd, options }
  const rebasedOptions: Record<string, unknown> = { ...options }
  for (const [name, flag] of Object.entries(spec.flags ?? {})) {
    const option = toOptionName(name)
    const value = options[option]
    // `--path` is the path of a request, and not of a file.
    const isPath = flag.type === "string" && ["dir", "file", "path"].includes(flag.value ?? "") && name !== "path"
    if (!isPath || !optionNames.includes(option) || typeof value !== "string" || value === "-") continue
    rebasedOptions[option] = rebasePath(root, cwd, value)
  }
  for (const { name, pathKind } of spec.arguments ?? []) {
    const value = options[toOptionName(name)]
    if (!pathKind || value === undefined) continue
    const rebase = pathKind === "file" ? rebasePath : rebaseVersion
    const paths = [value].flat().map((path) => rebase(root, cwd, String(path)))
    rebasedOptions[toOptionName(name)] = Array.isArray(value) ? paths : paths[0]
  }
  return { cwd: root, options: rebasedOptions }
}

/**
 * Rewrites a path that is relative to `cwd`, so that it is relative to `root`. A slash at the end stays, because it
 * marks a directory.
 */
function rebasePath(root: string, cwd: string, path: string): string {
  if (isAbsolute(path)) return path
  const end = /[/\\]$/.test(path) ? "/" : ""
  return `${relative(root, resolve(cwd, path)).split(sep).join("/") || "."}${end}`
}

/**
 * Rewrites a version of an OpenAPI document: a file, a git revision, or a file in a revision. A name that ends in
 * `.json`, `.yaml` or `.yml` is a file.
 */
function rebaseVersion(root: string, cwd: string, name: string): string {
  const [, revision, file] = /^([^:/\\]{2,}):(.+)$/.exec(name) ?? []
  if (revision && file) return `${revision}:${rebasePath(root, cwd, file)}`
  const isFile = /\.(?:json|ya?ml)$/i.test(name) || existsSync(resolve(cwd, name))
  return isFile ? rebasePath(root, cwd, name) : name
}

/**
 * Returns true if a route directory is above the project. Scanning it would read everything next to the project.
 */
export function isAboveProject(root: string, appDir: unknown): boolean {
  if (typeof appDir !== "string") return false
  const resolveLinks = (path: string) => (existsSync(path) ? realpathSync(path) : path)
  const relativePath = relative(resolveLinks(resolve(root, appDir)), resolveLinks(root))
  return relativePath !== "" && relativePath.split(sep)[0] !== ".." && !isAbsolute(relativePath)
}

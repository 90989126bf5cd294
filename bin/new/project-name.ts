/** Checks the names of new projects, which must be valid for a directory and for a package. */
import { isBuiltin } from "node:module"
import { basename } from "node:path"
import { type NameProblem, newFault } from "../messages/new.ts"

/**
 * Matches names that Windows reserves for devices, with or without an extension (Microsoft, "Naming Files, Paths,
 * and Namespaces").
 */
const deviceNamePattern = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/

/**
 * Names that npm refuses: a package cannot depend on a package of its own name, and the last two are never allowed.
 */
const reservedNames = new Set(["fw", "esbuild", "typescript", "node_modules", "favicon.ico"])

/**
 * Checks a name by npm's rules (npm documentation, package.json: name), which are stricter than those of all file
 * systems.
 *
 * @throws FwError `name` with the broken rule and a similar valid name.
 */
export function checkName(name: string): void {
  const problem = findNameProblem(name)
  if (problem) throw newFault("name", [name, ...problem, suggestName(name)])
}

/**
 * Returns the name for a project in an existing directory: that of the directory, or a similar valid one.
 *
 * @throws FwError `name` if there is no similar valid name.
 */
export function toProjectName(directory: string): string {
  const directoryName = basename(directory)
  const name = findNameProblem(directoryName) ? suggestName(directoryName) : directoryName
  if (name === null) throw newFault("name.directory", [directoryName])
  return name
}

/** Returns the problem of a name and its invalid part; null if the name is valid. */
function findNameProblem(name: string): readonly [problem: NameProblem, part: string] | null {
  const problem = (is: NameProblem, part = name) => [is, part] as const
  if (name === "") return problem("empty")
  if (name === "." || name === "..") return problem("parent")
  if (/[/\\]/.test(name)) return problem("path")
  if (name.length > 214) return problem("length")
  if (/[A-Z]/.test(name)) return problem("capital")
  if (/^[._-]/.test(name)) return problem("start", name[0])
  const [invalidCharacter] = /[^a-z0-9._-]/u.exec(name) ?? []
  if (invalidCharacter) return problem("character", invalidCharacter)
  if (name.endsWith(".")) return problem("dot")
  if (deviceNamePattern.test(name)) return problem("device")
  if (reservedNames.has(name)) return problem("taken")
  return isBuiltin(name) ? problem("builtin") : null
}

/** Returns a similar valid name; null if there is none. */
function suggestName(name: string): string | null {
  const lastSegment = name.split(/[/\\]/).filter(Boolean).at(-1) ?? ""
  const plainName = lastSegment
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^[.-]+|[.-]+$/g, "")
    .slice(0, 60)
  const similarName = plainName !== "" && findNameProblem(plainName) !== null ? `my-${plainName}` : plainName
  return similarName !== "" && similarName !== name && findNameProblem(similarName) === null ? similarName : null
}

/** Converts a name to a title: "My shop" for `my-shop`. */
export function toTitle(name: string): string {
  const words = name.replace(/[._-]+/g, " ").trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

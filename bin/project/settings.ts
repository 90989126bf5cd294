/** Reads the settings of a project, which are in the field `"fw"` of its package.json. */
import { projectFault } from "../messages/project.ts"
import { readPackageName } from "../tools/npm.ts"
import { readManifest } from "./manifest.ts"

/** The settings of a project, with defaults for those that its package.json lacks. */
export interface Settings {
  /** Packages that are not bundled. They stay separate files, next to the output or inside it. */
  readonly external: readonly string[]
  /** Packages that may be missing when the project is built. */
  readonly optional: readonly string[]
  /** Directory of the entries for browser code, relative to the project. Default: `assets`. */
  readonly assets: string
  /** Scheme and host at which the site is published, such as `https://example.org`. */
  readonly site?: string
}

const packageLists = ["external", "optional"] as const
const names = [...packageLists, "assets", "site"] as const

/**
 * Reads the settings of a project. If package.json is missing or invalid, all have their defaults.
 *
 * @throws FwError `settings` for a setting that is not known or has an invalid value.
 *
 * @example
 * // package.json: { "fw": { "external": ["pg"] } }
 * readSettings("/home/ada/shop") // { external: ["pg"], optional: [], assets: "assets" }
 */
export function readSettings(root: string): Settings {
  const given: Readonly<Record<string, unknown>> = { ...Object(readManifest(root).fw) }
  const at = { at: { file: "package.json" } }
  const unknown = Object.keys(given).find((name) => !names.some((known) => known === name))
  if (unknown !== undefined) throw projectFault("settings", [unknown, names], at)
  const wrong = packageLists.find((name) => !isPackages(given[name] ?? []))
  if (wrong !== undefined) throw projectFault("settings.packages", [wrong], at)
  if (!isDirectoryName(given.assets ?? "assets")) throw projectFault("settings.assets", [], at)
  if (given.site !== undefined && !isSite(given.site)) throw projectFault("settings.site", [given.site], at)
  return { external: [], optional: [], assets: "assets", ...given }
}

/** Returns true for the path of a directory below the project. */
function isDirectoryName(name: unknown): boolean {
  return typeof name === "string" && /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(name)
}

/** Returns true for a list of package names. */
function isPackages(value: unknown): boolean {
  return Array.isArray(value) && value.every(isPackage)
}

/**
 * Returns true for the name of a package that a setting or flag may contain. It must have no path inside the
 * package, and must not be fw, which is part of every build.
 */
export function isPackage(name: unknown): boolean {
  return typeof name === "string" && readPackageName(name) === name && name !== "fw"
}

/** Returns true for a URL that has only scheme and host. */
export function isSite(given: unknown): given is string {
  return typeof given === "string" && /^https?:/.test(given) && URL.canParse(given) && new URL(given).origin === given
}

/** The settings of a project: `"fw"` in its package.json. */
import { projectFault } from "../messages/project.ts"
import { readPackageName } from "../tools/npm.ts"
import { readManifest } from "./manifest.ts"

/** The settings. */
export interface Settings {
  /** Packages that are not bundled, and stay files next to the output or in it. */
  readonly external: readonly string[]
  /** Packages that may be missing when the project is built. */
  readonly optional: readonly string[]
  /** The directory of the entries for the browser, relative to the project. Default: `assets`. */
  readonly assets: string
  /** Scheme and host of the site, such as `https://example.org`. */
  readonly site?: string
}

const packageLists = ["external", "optional"] as const
const names = [...packageLists, "assets", "site"] as const

/**
 * Reads the settings of a project. If package.json is missing or broken, there are none.
 *
 * @throws FwError `settings` for a setting that fw does not know, or that has a wrong value.
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

/** Returns true for a list of the names of packages, without paths in them. fw is part of every build. */
function isPackages(value: unknown): boolean {
  return Array.isArray(value) && value.every(isPackage)
}

/** Returns true for the name of a package that a setting or a flag can have: without a path in it, and not fw. */
export function isPackage(name: unknown): boolean {
  return typeof name === "string" && readPackageName(name) === name && name !== "fw"
}

/** Returns true for the scheme and the host of a site, without a path. */
export function isSite(given: unknown): given is string {
  return typeof given === "string" && /^https?:/.test(given) && URL.canParse(given) && new URL(given).origin === given
}

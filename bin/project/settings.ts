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
const settingNames = [...packageLists, "assets", "site"] as const

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
  const settings: Readonly<Record<string, unknown>> = { ...Object(readManifest(root).fw) }
  const at = { at: { file: "package.json" } }
  const unknown = Object.keys(settings).find((name) => !settingNames.some((settingName) => settingName === name))
  if (unknown !== undefined) throw projectFault("settings", [unknown, settingNames], at)
  const invalidList = packageLists.find((name) => !isPackages(settings[name] ?? []))
  if (invalidList !== undefined) throw projectFault("settings.packages", [invalidList], at)
  if (!isDirectoryName(settings.assets ?? "assets")) throw projectFault("settings.assets", [], at)
  if (settings.site !== undefined && !isSite(settings.site)) throw projectFault("settings.site", [settings.site], at)
  return { external: [], optional: [], assets: "assets", ...settings }
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
export function isSite(value: unknown): value is string {
  return typeof value === "string" && /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value
}

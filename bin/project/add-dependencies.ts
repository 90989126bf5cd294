/** Adds dependencies to a project's package.json, and leaves the rest of it as it is. Called by `fw generate auth`. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { FwError } from "../../lib/errors.ts"
import { writeIfChanged } from "./codegen.ts"

/** A package.json that may be changed. */
export interface PackageFile {
  readonly path: string
  readonly text: string
  readonly manifest: Readonly<Record<string, unknown>>
}

/** Reads it. @throws FwError `package_json` where there is none, or none that can be read. */
export async function readPackageFile(root: string): Promise<PackageFile> {
  const path = join(root, "package.json")
  const refuse = (what: string, fix: string, cause?: unknown): never => {
    throw new FwError("package_json", what, fix, { at: { file: "package.json" }, cause })
  }
  const text = await readFile(path, "utf8").catch((cause: unknown) =>
    refuse("there is no package.json here", "Run this in a project's own directory.", cause),
  )
  let manifest: unknown
  try {
    manifest = JSON.parse(text.replace(/^\uFEFF/, ""))
  } catch (cause) {
    refuse(`package.json is no JSON: ${(cause as Error).message}`, "Mend it, then run this again.", cause)
  }
  if (typeof manifest === "object" && manifest !== null && !Array.isArray(manifest))
    return { path, text, manifest: manifest as Record<string, unknown> }
  return refuse("package.json is no object", "Mend it, then run this again.")
}

/** Those of the packages that a project does not name in any of its lists. */
export function missingFrom(
  { manifest }: PackageFile,
  versions: Readonly<Record<string, string>>,
): Record<string, string> {
  const lists = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]
  const named = lists.flatMap((list) => Object.keys((manifest[list] as object | undefined) ?? {}))
  return Object.fromEntries(Object.entries(versions).filter(([name]) => !named.includes(name)))
}

/** Writes them among the dependencies, by name as npm does, in the file's own indentation. */
export async function addDependencies(
  file: PackageFile,
  added: Readonly<Record<string, string>>,
): Promise<void> {
  if (Object.keys(added).length === 0) return
  const { path, text, manifest } = file
  const before = (manifest.dependencies as Record<string, string> | undefined) ?? {}
  const dependencies = Object.fromEntries(
    Object.entries({ ...before, ...added }).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  const indent = /^\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? "  "
  const end = text.endsWith("\n") ? "\n" : ""
  const written = `${JSON.stringify({ ...manifest, dependencies }, null, indent)}${end}`
  await writeIfChanged(path, text.includes("\r\n") ? written.replaceAll("\n", "\r\n") : written)
}

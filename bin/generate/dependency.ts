/** Adds packages to a project's package.json. */

import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { compareByCodeUnit } from "../../lib/order.ts"
import { projectFault } from "../messages/project.ts"
import { writeIfChanged } from "../system/whole-file.ts"

/** Result of adding packages. */
export interface AddedDependencies {
  /**
   * The added packages with their ranges. Packages that package.json had before, in any version, are not listed.
   */
  readonly added: Readonly<Record<string, string>>
  /** Restores the old package.json. */
  undo(): Promise<void>
}

/**
 * Adds packages to `dependencies`, and type packages to `devDependencies`, sorted by name. The indentation and line
 * endings of the file are kept.
 *
 * @param packages version ranges by name.
 * @throws FwError `package_json` if the file is missing or invalid.
 */
export async function addDependencies(
  root: string,
  packages: Readonly<Record<string, string>>,
): Promise<AddedDependencies> {
  const target = { root, path: "package.json" }
  const text = await readFile(join(root, target.path), "utf8").catch(() => {
    throw projectFault("package_json", [], { at: { file: target.path } })
  })
  const manifest = parseManifest(text)
  const { dependencies = {}, devDependencies = {} } = manifest
  const missing = Object.entries(packages).filter(([name]) => !(name in dependencies || name in devDependencies))
  if (missing.length === 0) return { added: {}, undo: async () => {} }
  const add = (to: Readonly<Record<string, string>>, all: typeof missing) =>
    Object.fromEntries([...Object.entries(to), ...all].sort(([a], [b]) => compareByCodeUnit(a, b)))
  const types = missing.filter(([name]) => name.startsWith("@types/"))
  const others = missing.filter(([name]) => !name.startsWith("@types/"))
  const newManifest = {
    ...manifest,
    ...(others.length > 0 && { dependencies: add(dependencies, others) }),
    ...(types.length > 0 && { devDependencies: add(devDependencies, types) }),
  }
  const newText = JSON.stringify(newManifest, null, findIndent(text))
  const lines = text.includes("\r\n") ? newText.replaceAll("\n", "\r\n") : newText
  await writeIfChanged(target, lines + (/\r?\n$/.exec(text)?.[0] ?? ""))
  return { added: Object.fromEntries(missing), undo: async () => void (await writeIfChanged(target, text)) }
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

function parseManifest(text: string): Manifest {
  try {
    const manifest: unknown = JSON.parse(text)
    if (typeof manifest === "object" && manifest !== null && !Array.isArray(manifest)) return manifest
  } catch {
    // A file that is not valid JSON gets the error below.
  }
  throw projectFault("package_json.content", [], { at: { file: "package.json" } })
}

function findIndent(text: string): string {
  return /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? "  "
}

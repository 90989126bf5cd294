/**
 * Writes the bill of materials of a build, in the format CycloneDX 1.6. It lists the packages whose files the build
 * contains.
 */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { compareByCodeUnit } from "../../lib/order.ts"
import { readManifest } from "../project/manifest.ts"

/** A component of CycloneDX. */
export interface Component {
  readonly type: "library" | "platform"
  readonly "bom-ref": string
  readonly name: string
  readonly version: string
  readonly licenses?: ReadonlyArray<{ expression: string } | { license: { name: string } }>
  readonly purl: string
  readonly cpe?: string
  readonly properties?: ReadonlyArray<{ readonly name: string; readonly value: string }>
}

/**
 * The bill of materials of fw itself. It lists the libraries that fw bundles, which are not packages in a project.
 */
const ownSbomFile = "dist/sbom.cdx.json"
/** The property that names the file of fw that contains a library. */
const fileProperty = "fw:file"

/**
 * Returns the document. It contains neither a time nor a random number, so it is the same for the same input.
 *
 * @param name the name of what was built. Its version is that of the package in `root`.
 * @param components the parts of what was built. Components with the same `bom-ref` are listed once.
 */
export function renderBillOfMaterials(root: string, name: string, components: readonly Component[]): string {
  const { version } = readManifest(root)
  const byRef = new Map<string, Component>()
  for (const one of components) {
    const properties = [...(byRef.get(one["bom-ref"])?.properties ?? []), ...(one.properties ?? [])]
    byRef.set(one["bom-ref"], properties.length > 0 ? { ...one, properties } : one)
  }
  const subject = { type: "application", "bom-ref": "subject", name }
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: typeof version === "string" ? { ...subject, version } : subject },
    components: [...byRef.values()].sort((a, b) => compareByCodeUnit(a["bom-ref"], b["bom-ref"])),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

/**
 * Returns the packages that own the given files, and the libraries in those files that belong to fw.
 *
 * @param root directory of the project, whose own files are not a component.
 * @param files absolute paths, or relative to the project.
 * @param into the file of fw that is built from these files, when fw itself is built.
 */
export function readComponents(root: string, files: Iterable<string>, into?: string): Component[] {
  const components = new Map<string, Component[]>()
  const paths = new Set([...files].map((file) => resolve(root, file)))
  for (const path of paths) {
    const directory = findPackageDirectory(path, root)
    if (directory === null || components.has(directory)) continue
    const libraries = existsSync(join(directory, ownSbomFile)) ? readOwnComponents(directory, paths) : []
    components.set(directory, [toComponent(readManifest(directory)), ...libraries])
  }
  const properties = into === undefined ? [] : [{ name: fileProperty, value: into }]
  return [...components.values()].flat().map((one) => (into === undefined ? one : { ...one, properties }))
}

/** Returns the Node of an executable as a component. */
export function toNodeComponent(version: string): Component {
  const purl = `pkg:generic/node@${version}`
  const cpe = `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`
  return { type: "platform", "bom-ref": purl, name: "node", version, purl, cpe }
}

function readOwnComponents(directory: string, paths: ReadonlySet<string>): Component[] {
  const sbom: { components: readonly Component[] } = JSON.parse(readFileSync(join(directory, ownSbomFile), "utf8"))
  return sbom.components.filter(({ properties = [] }) =>
    properties.some(({ name, value }) => name === fileProperty && paths.has(join(directory, value))),
  )
}

/**
 * Returns the nearest directory above a file with a package.json that has a name and a version; null for the
 * project's own files.
 */
function findPackageDirectory(file: string, root: string): string | null {
  for (let directory = dirname(file); directory !== root; directory = dirname(directory)) {
    const { name, version } = readManifest(directory)
    if (typeof name === "string" && typeof version === "string") return directory
    if (directory === dirname(directory)) return null
  }
  return null
}

function toComponent({ name, version, license, licenses }: Readonly<Record<string, unknown>>): Component {
  const purl = `pkg:npm/${String(name).replace("@", "%40")}@${encodeURIComponent(String(version))}`
  const licenseNames = [license ?? licenses ?? []].flat().map((one) => (one as { type?: string }).type ?? one)
  const expression = licenseNames.join(" OR ")
  const isExpression = /^[\w.+() -]+$/.test(expression) && !/^(?:UNLICENSED|SEE LICENSE)/.test(expression)
  return {
    type: "library",
    "bom-ref": purl,
    name: String(name),
    version: String(version),
    ...(expression === "" ? {} : { licenses: [isExpression ? { expression } : { license: { name: expression } }] }),
    purl,
  }
}

/**
 * Bundles each vendor/*.ts into one file that begins with the licences of its packages, and lists all packages in a
 * bill of materials.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root, ScriptError } from "./common.mjs"

/**
 * Writes `vendor/*.js` below a directory. Each file contains whole, unchanged libraries and imports only Node's own
 * modules. Also writes `sbom.cdx.json`, the list of the libraries.
 *
 * @param {string} dist
 */
export async function bundleVendor(dist) {
  const esbuild = await import("esbuild")
  const names = readdirSync(join(root, "vendor")).filter((name) => name.endsWith(".ts"))
  const [{ renderBillOfMaterials, readComponents }, ...inputs] = await Promise.all([
    loadSbom(esbuild),
    ...names.map((name) => bundleModule(esbuild, name, join(dist, "vendor", name.replace(/\.ts$/, ".js")))),
  ])
  const components = names.flatMap((name, index) =>
    readComponents(root, inputs[index] ?? [], `dist/vendor/${name.replace(/\.ts$/, ".js")}`),
  )
  writeFileSync(join(dist, "sbom.cdx.json"), renderBillOfMaterials(root, "fw", components))
}

/**
 * Loads the command's module that writes bills of materials. It is bundled first, because not every Node that builds fw
 * can run TypeScript.
 *
 * @param {typeof import("esbuild")} esbuild
 * @returns {Promise<typeof import("../bin/build/sbom.ts")>}
 */
async function loadSbom(esbuild) {
  const entryPoints = [join(root, "bin/build/sbom.ts")]
  const { outputFiles } = await esbuild.build({
    entryPoints,
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
  })
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`)
}

/**
 * Bundles a module twice: the first time shows which packages it contains, and their licences are put at the start of
 * the second bundle. Returns the files that it contains.
 *
 * @param {typeof import("esbuild")} esbuild
 * @param {string} name
 * @param {string} outfile
 */
async function bundleModule(esbuild, name, outfile) {
  /** @type {import("esbuild").BuildOptions & { metafile: true }} */
  const options = {
    absWorkingDir: root,
    entryPoints: [`vendor/${name}`],
    outfile,
    bundle: true,
    format: "esm",
    // The builds of libraries for browsers are ES modules that do not need Node's file system.
    platform: "browser",
    conditions: ["import"],
    alias: { "@vscode/l10n": "./vendor/replaced/l10n.ts" },
    // If node_modules is a link, the comments of the file would contain the path of its target.
    preserveSymlinks: true,
    external: ["node:*"],
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "silent",
  }
  const { metafile } = await esbuild.build(options)
  const writtenInputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs))
  const inputs = writtenInputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([input]) => input)
  await esbuild.build({ ...options, banner: { js: formatLicences(inputs) }, write: true })
  return inputs
}

/**
 * Returns a comment with the name, version and licence of every package that the inputs belong to.
 *
 * @param {readonly string[]} inputs paths relative to the project
 */
export function formatLicences(inputs) {
  const directories = inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0])
  const unique = [...new Set(directories.filter((directory) => directory !== undefined))].sort()
  const texts = unique.map((directory) => {
    const { name, version } = JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8"))
    return `${name}@${version}\n\n${readLicence(directory).trim()}`
  })
  return `/*!\n${texts.join(`\n\n${"-".repeat(80)}\n\n`).replaceAll("*/", "* /")}\n*/`
}

/** @param {string} directory */
function readLicence(directory) {
  const path = join(root, directory)
  const files = existsSync(path) ? readdirSync(path).filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name)) : []
  if (files.length === 0) {
    throw new ScriptError(`${directory} is bundled but has no licence file. Leave it out of vendor/, or replace it.`)
  }
  return files.map((name) => readFileSync(join(path, name), "utf8")).join("\n\n")
}

/** Bundles each vendor/*.ts into one file with the licences of all that is in it, and lists all in a bill of materials. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root, ScriptError } from "./common.mjs"

/**
 * Writes `vendor/*.js` below a directory: whole and unchanged libraries, which import nothing but Node's own modules.
 * Writes the list of them as `sbom.cdx.json`.
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
 * Loads the module of the command that writes bills of materials. Not every Node that builds fw reads TypeScript.
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
 * Two passes: only the first shows which packages are in the bundle, and their licences open the file. Returns the files
 * that are in it.
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
    // Libraries have ES modules without Node's file system for browsers.
    platform: "browser",
    conditions: ["import"],
    alias: { "@vscode/l10n": "./vendor/replaced/l10n.ts" },
    // A linked node_modules would put the place of its target into the comments of the file.
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
 * The comment with the name, version and licence of every package that the inputs come from.
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

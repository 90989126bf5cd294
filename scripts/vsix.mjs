/** Packs the extension for Visual Studio Code as a .vsix file, which is a ZIP archive with a manifest. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { root } from "./common.mjs"
import { zip } from "./zip.mjs"

const source = join(root, "editors", "vscode")
const extensionFiles = ["README.md", "language-configuration.json", "syntaxes/tpl.tmLanguage.json"]

/** Writes the extension. Its version is that of the package. @param {string} file */
export async function buildExtension(file) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const manifest = { ...JSON.parse(readFileSync(join(source, "package.json"), "utf8")), version }
  const files = [
    { name: "[Content_Types].xml", content: Buffer.from(contentTypes) },
    { name: "extension.vsixmanifest", content: Buffer.from(formatManifest(manifest)) },
    { name: "extension/package.json", content: Buffer.from(JSON.stringify(manifest, null, 2)) },
    ...extensionFiles.map((path) => ({
      name: `extension/${path}`,
      content: readFileSync(join(source, path)),
    })),
    { name: "extension/LICENSE.txt", content: readFileSync(join(root, "LICENSE")) },
    { name: "extension/extension.cjs", content: await bundleProgram() },
  ]
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, zip(files))
}

/** Returns the bundled program of the extension. Only the editor's own module is left out. */
async function bundleProgram() {
  const { build } = await import("esbuild")
  const { outputFiles } = await build({
    entryPoints: [join(source, "extension.ts")],
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    minify: true,
    legalComments: "none",
    external: ["vscode"],
    write: false,
  })
  return outputFiles[0].contents
}

const types = {
  cjs: "application/javascript",
  json: "application/json",
  md: "text/markdown",
  txt: "text/plain",
}
const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${Object.entries({
  ...types,
  vsixmanifest: "text/xml",
})
  .map(([extension, type]) => `<Default Extension=".${extension}" ContentType="${type}"/>`)
  .join("")}</Types>
`
const escapeXml = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
const formatProperty = (id, value) => `<Property Id="Microsoft.VisualStudio.Code.${id}" Value="${escapeXml(value)}"/>`
const formatAsset = (type, path) =>
  `<Asset Type="Microsoft.VisualStudio.${type}" Path="extension/${path}" Addressable="true"/>`
/** @param {Record<string, any>} manifest */
const formatManifest = (manifest) => `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${manifest.name}" Version="${manifest.version}" Publisher="${manifest.publisher}"/>
    <DisplayName>${escapeXml(manifest.displayName)}</DisplayName>
    <Description xml:space="preserve">${escapeXml(manifest.description)}</Description>
    <Tags>tpl,__ext_tpl</Tags>
    <Categories>${escapeXml(manifest.categories.join(","))}</Categories>
    <License>extension/LICENSE.txt</License>
    <Properties>${formatProperty("Engine", manifest.engines.vscode)}${formatProperty("ExtensionKind", "workspace")}</Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>${formatAsset("Code.Manifest", "package.json")}${formatAsset("Services.Content.Details", "README.md")}${formatAsset("Services.Content.License", "LICENSE.txt")}</Assets>
</PackageManifest>
`

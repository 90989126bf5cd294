/**
 * Tests of the list of packages that `fw build --sbom` writes in CycloneDX 1.6: it has the packages whose code is
 * in the result.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv } from "ajv"
import addFormats from "ajv-formats"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type Component, readComponents, renderBillOfMaterials, toNodeComponent } from "../../../bin/build/sbom.ts"
import { fw, project } from "../../support/bin/cli/command.ts"
import { makeProject, route } from "../../support/bin/dev/dev-project.ts"
import { installTools } from "../../support/tools.ts"

const schemas = join(
  await installTools(["@cyclonedx/cyclonedx-library@10.3.0"]),
  "@cyclonedx/cyclonedx-library/res/schema",
)
const readSchema = (name: string) => JSON.parse(readFileSync(join(schemas, `${name}.schema.json`), "utf8"))
const ajv = new Ajv({ strict: false, validateFormats: true })
;(addFormats as unknown as (ajv: Ajv) => void)(ajv)
for (const format of ["iri-reference", "idn-email"]) ajv.addFormat(format, true)
for (const name of ["spdx.SNAPSHOT", "jsf-0.82.SNAPSHOT"])
  ajv.addSchema(readSchema(name), `http://cyclonedx.org/schema/${name}.schema.json`)
const validate = ajv.compile(readSchema("bom-1.6.SNAPSHOT"))

interface Document {
  readonly metadata: { readonly component: { readonly version?: string } }
  readonly components: readonly Component[]
}

/** Parses a document, and checks it against the published schema. */
function readDocument(text: string): Document {
  const document: unknown = JSON.parse(text)
  assert.ok(validate(document), JSON.stringify(validate.errors))
  return document as Document
}

const manifest = (value: object) => JSON.stringify({ name: "one", version: "1.0.0", ...value })

const licences: ReadonlyArray<readonly [given: object, licenses: unknown]> = [
  [{ license: "MIT" }, [{ expression: "MIT" }]],
  [{ license: "(MIT OR Apache-2.0)" }, [{ expression: "(MIT OR Apache-2.0)" }]],
  [{ license: { type: "BSD-3-Clause", url: "u" } }, [{ expression: "BSD-3-Clause" }]],
  [{ licenses: [{ type: "MIT" }, { type: "ISC" }] }, [{ expression: "MIT OR ISC" }]],
  [{ license: "SEE LICENSE IN eula.txt" }, [{ license: { name: "SEE LICENSE IN eula.txt" } }]],
  [{ license: "UNLICENSED" }, [{ license: { name: "UNLICENSED" } }]],
  [{}, undefined],
]
for (const [given, licenses] of licences) {
  test(`a package with ${JSON.stringify(given)} has the licence ${JSON.stringify(licenses)}`, () => {
    const root = project({
      "node_modules/one/package.json": manifest(given),
      // This package.json only says which module system its folder uses.
      "node_modules/one/esm/package.json": '{ "type": "module" }',
    })
    const components = readComponents(root, ["node_modules/one/esm/index.js"])
    const document = readDocument(renderBillOfMaterials(root, "shop", components))
    assert.equal(document.components, [
      {
        type: "library",
        "bom-ref": "pkg:npm/one@1.0.0",
        name: "one",
        version: "1.0.0",
        ...(licenses === undefined ? {} : { licenses }),
        purl: "pkg:npm/one@1.0.0",
      },
    ])
  })
}

test("each package is listed once by its purl, in a fixed order, and files of the project are not listed", () => {
  const root = project({
    "package.json": '{ "name": "@me/shop", "version": "3.1.0" }',
    "node_modules/two/package.json": '{ "name": "two", "version": "2.0.0+7" }',
    "node_modules/@a/b/package.json": '{ "name": "@a/b", "version": "1.0.0" }',
    "node_modules/@a/b/node_modules/two/package.json": '{ "name": "two", "version": "1.0.0" }',
  })
  const files = [
    "main.ts",
    "node_modules/two/a.js",
    "node_modules/two/b.js",
    "node_modules/@a/b/index.js",
    join(root, "node_modules/@a/b/node_modules/two/index.js"),
  ]
  const components = [...readComponents(root, files), toNodeComponent("26.10.0")]
  const document = readDocument(renderBillOfMaterials(root, "shop", components))
  assert.equal(document.metadata.component, {
    type: "application",
    "bom-ref": "subject",
    name: "shop",
    version: "3.1.0",
  })
  assert.equal(
    document.components.map(({ purl }) => purl),
    ["pkg:generic/node@26.10.0", "pkg:npm/%40a/b@1.0.0", "pkg:npm/two@1.0.0", "pkg:npm/two@2.0.0%2B7"],
  )
})

test("a library that is bundled into a file of fw is listed if that file is in the result", () => {
  const source = project({
    "node_modules/yaml/package.json": '{ "name": "yaml", "version": "2.9.1", "license": "ISC" }',
    "node_modules/types/package.json": '{ "name": "types", "version": "1.0.0" }',
  })
  const own = renderBillOfMaterials(source, "fw", [
    ...readComponents(source, ["node_modules/yaml/a.js", "node_modules/types/a.js"], "dist/vendor/yaml.js"),
    ...readComponents(source, ["node_modules/types/a.js"], "dist/vendor/editor.js"),
  ])
  readDocument(own)
  const root = project({
    "node_modules/fw/package.json": '{ "name": "fw", "version": "0.2.0" }',
    "node_modules/fw/dist/sbom.cdx.json": own,
  })
  const namesWith = (...files: string[]) =>
    readComponents(
      root,
      files.map((file) => `node_modules/fw/dist/${file}`),
    ).map(({ name }) => name)
  assert.equal(namesWith("lib/index.js"), ["fw"])
  assert.equal(namesWith("lib/index.js", "vendor/editor.js"), ["fw", "types"])
  assert.equal(namesWith("lib/index.js", "vendor/yaml.js"), ["fw", "types", "yaml"])
})

test("--sbom lists the packages whose code is in a bundle, and no other packages", async () => {
  const cwd = makeProject({
    "package.json": '{ "name": "@me/shop", "version": "3.1.0", "type": "module" }\n',
    "main.ts":
      'import { App } from "fw"\nimport ms from "ms"\nimport { inner } from "barrel"\nconst app = new App({ logger: false })\napp.get("/ms", (c) => c.json(200, [ms, inner]))\nexport default app\n',
    "app/api/hello/route.ts": route("hello"),
    "node_modules/ms/package.json": '{ "name": "ms", "version": "1.0.0", "license": "MIT" }',
    "node_modules/ms/index.js": "module.exports = 7\n",
    // This package only exports again what another package has.
    "node_modules/barrel/package.json":
      '{ "name": "barrel", "version": "1.0.0", "type": "module", "sideEffects": false, "exports": "./index.js" }',
    "node_modules/barrel/index.js": 'export { inner } from "inner"\n',
    "node_modules/inner/package.json": '{ "name": "inner", "version": "1.0.0", "type": "module", "main": "index.js" }',
    "node_modules/inner/index.js": "export const inner = process.pid\n",
  })
  const build = async (...args: string[]) => {
    const { code, stderr } = await fw(["build", "--target", "node", ...args], { cwd, env: {} })
    assert.is(code, 0, stderr)
  }
  await build("--sbom")
  const text = readFileSync(join(cwd, "dist/node/sbom.cdx.json"), "utf8")
  const document = readDocument(text)
  assert.is(document.metadata.component.version, "3.1.0")
  const names = document.components.map(({ name }) => name)
  for (const name of ["fw", "inner", "ms"]) assert.ok(names.includes(name), `${name} is missing in the list`)
  for (const name of ["barrel", "@me/shop"]) assert.not.ok(names.includes(name), `${name} is in the list`)
  await build("--sbom")
  assert.is(readFileSync(join(cwd, "dist/node/sbom.cdx.json"), "utf8"), text)
  await build()
  assert.throws(() => readFileSync(join(cwd, "dist/node/sbom.cdx.json")), /ENOENT/)
})

test.run()

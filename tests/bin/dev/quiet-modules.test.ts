/** `fw dev`: which modules of a project may run in a spare process, before the program starts. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { type Bundle, Bundler } from "../../../bin/dev/bundle.ts"
import { DevEntry } from "../../../bin/dev/entry.ts"
import { DevFiles } from "../../../bin/dev/files.ts"
import { loadProgram, preload } from "../../../bin/dev/program.ts"
import { compileTemplates } from "../../../bin/project/templates.ts"
import { emptyTree } from "../../../lib/tree.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const test = suite("fw dev: quiet modules")

/** Bundles modules, which main.ts imports. */
async function bundled(modules: Readonly<Record<string, string>>) {
  const imports = Object.keys(modules).map((name) => {
    return `import * as ${name.replace(/\W/g, "_")} from "./${name.replace(/\.tpl$/, ".tpl.ts")}"\n`
  })
  const list = Object.keys(modules).map((name) => name.replace(/\W/g, "_"))
  const main = `${imports.join("")}\nexport default () => [${list.join(", ")}]\n`
  const root = makeProject({ ...modules, "main.ts": main })
  await compileTemplates(root)
  const entry = new DevEntry(root)
  await entry.update({ main: "main.ts", tree: emptyTree("app") })
  const store = await DevFiles.open(root)
  const bundler = await Bundler.open({ root, entry, directory: store.directory })
  const built = await bundler.build(null)
  await bundler.close()
  if ("problems" in built) throw new Error(JSON.stringify(built.problems))
  const { files } = store.write(built)
  return { entry, files, bundle: built.bundle as Bundle }
}

const note = "(globalThis as any).fwRan"

const quiet: Readonly<Record<string, string>> = {
  functions: "export function a() { return Date.now() }\nexport async function* b() {}",
  "types, and simple constants":
    'interface A { b: 1 }\nexport const a = "a\\"b"\nexport const c = -1.5\nexport const d = true\nlet e: A | null = null\nexport { e }',
  "imports of packages": 'import { html } from "fw/html"\nexport function a() { return html`<p>x</p>` }',
}

const loud: Readonly<Record<string, string>> = {
  "a call": "export const a = Date.now()",
  "a call as a statement": `${note} ??= []\n${note}.push("x")`,
  "a global that is set": "// @ts-ignore\nfwRanGlobal = 1\nexport const a = 1",
  "an object, which another module could compare": "export const a = {}",
  "a class, which may have static fields": `export class A { static b = ${note} }`,
  "a property that is read": "export const a = process.env.HOME",
  "a template literal with a value": `export const a = \`\${${note}}\``,
  "a module that imports for an effect": 'import "node:os"\nimport "./x.ts"',
  "a function called at the top": "function init_other() {}\ninit_other()\nexport {}",
}

for (const [name, text] of Object.entries(quiet)) {
  test(`may run early: ${name}`, async () => {
    const { bundle } = await bundled({ "lib/x.ts": text })
    assert.ok(bundle.quiet.includes("lib/x.ts"), Buffer.from(bundle.code).toString())
  })
}

for (const [name, text] of Object.entries(loud)) {
  test(`waits for the start: ${name}`, async () => {
    const { bundle } = await bundled({ "lib/y.ts": text, "lib/x.ts": `${note} = 1` })
    assert.equal(
      bundle.quiet.filter((path) => path.startsWith("lib/")),
      [],
    )
  })
}

test("a template may run early, unless something that it imports may not", async () => {
  const page = (lib: string) => `import { a } from "./${lib}.ts"\n\ntemplate Page() {\n  <p>{a}</p>\n}\n`
  const { bundle } = await bundled({
    "one.tpl": page("constant"),
    "two.tpl": page("counter"),
    "three.tpl": 'import { Page } from "./two.tpl.ts"\n\ntemplate Other() {\n  {Page()}\n}\n',
    "constant.ts": "export const a = 1",
    "counter.ts": `export const a = ${note}`,
  })
  assert.equal([...bundle.quiet].sort(), ["constant.ts", "one.tpl.ts"])
})

test("modules that import each other may run early", async () => {
  const { bundle } = await bundled({
    "a.ts": 'import { b } from "./b.ts"\nexport function a() { return b }',
    "b.ts": 'import { a } from "./a.ts"\nexport function b() { return a }',
  })
  assert.equal([...bundle.quiet].sort(), ["a.ts", "b.ts"])
})

test("a text that looks like a module does not make one quiet", async () => {
  const copy = 'var init_y = __esm({\n  "y.ts"() {\n    init_y();\n  }\n});'
  const { bundle } = await bundled({ "x.ts": `export const a = \`\n${copy}\n\${1}\``, "y.ts": `${note} = 2` })
  assert.equal(bundle.quiet, [])
})

test("a process runs only these before the program, and each module once", async () => {
  const scope = globalThis as { fwRan?: string[] }
  scope.fwRan = []
  const { entry, files, bundle } = await bundled({
    "quiet.ts": "export function a() { return 1 }",
    "loud.ts": `${note}.push("loud")\nexport const b = 1`,
  })
  await preload({ file: files.bundle, quiet: bundle.quiet }, () => false)
  assert.equal([bundle.quiet, scope.fwRan], [["quiet.ts"], []])
  await loadProgram(files, entry.parts)
  assert.equal(scope.fwRan, ["loud"])
  delete scope.fwRan
})

test("a program that has arrived does not wait for the rest", async () => {
  const { files, bundle } = await bundled({ "x.ts": "export const a = 1" })
  let asked = 0
  const isWanted = () => {
    asked += 1
    return true
  }
  await preload({ file: files.bundle, quiet: [...bundle.quiet, "not there"] }, isWanted)
  assert.is(asked, 1)
})

test.run()

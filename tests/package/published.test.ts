/** Tests of the files that are published: the content of the tarball, as npm installs it. */
import { readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join, posix } from "node:path"
import { build } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { programs } from "../../bin/system/package.ts"
import { newUser } from "../support/bin/new/packed.ts"
import { compile, root } from "../support/tsc.ts"

/** The largest size of the tarball in bytes. */
const maxSize = 2_500_000

const { folder, packed, run } = await newUser()
const directory = join(folder, "node_modules", "fw")
const paths = packed.files.map(({ path }) => path)
const read = (path: string) => readFileSync(join(directory, path), "utf8")
const scripts = paths.filter((path) => path.startsWith("dist/") && path.endsWith(".js"))
const ours = scripts.filter((path) => !path.startsWith("dist/vendor/"))

type Target = string | { readonly [condition: string]: Target }
interface Manifest {
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, Target>>
  readonly imports: Readonly<Record<string, Target>>
  readonly peerDependencies: Readonly<Record<string, string>>
}
const manifest = JSON.parse(read("package.json")) as Manifest
const entries = Object.entries(manifest.exports)
  .filter(([, target]) => typeof target === "object")
  .map(([name]) => `fw${name.slice(1)}`)
const options = [...Object.keys(manifest.peerDependencies), "bun", "typescript", "esbuild"]

/** The conditions by which a host or a program chooses files. */
const conditions = new Set(Object.values(manifest.imports).flatMap((target) => Object.keys(target)))
for (const name of ["types", "fw-source", "default"]) conditions.delete(name)

/** Returns the files of a target of `imports`, without those of the condition `fw-source`. */
function listFiles(target: Target, condition = ""): string[] {
  if (condition === "fw-source") return []
  if (typeof target === "string") return [target.replace("./", "")]
  return Object.entries(target).flatMap(([name, inner]) => listFiles(inner, name))
}

/** Returns the text of a program without comments. */
function findCode(path: string): string {
  return read(path).replace(/^\s*\/\/.*$|\/\*[\s\S]*?\*\//gm, "")
}

/** The modules that each program imports. */
const imported = new Map<string, readonly string[]>()
const { metafile } = await build({
  absWorkingDir: directory,
  entryPoints: scripts,
  bundle: true,
  external: ["*"],
  format: "esm",
  outdir: folder,
  write: false,
  metafile: true,
})
for (const [path, { imports }] of Object.entries(metafile.inputs))
  imported.set(
    path,
    imports.map((one) => one.path),
  )

test(`the tarball is smaller than ${maxSize / 1e6} MB`, () => {
  console.log(`The tarball has ${packed.size} bytes, ${scripts.length} programs and ${paths.length} files.`)
  assert.ok(packed.size < maxSize)
})

test("the tarball has no source of fw and no source map", () => {
  const sources = paths.filter((path) => /^(?:bin|lib|adapters|explorer|tests|scripts|node_modules)\//.test(path))
  const typed = paths.filter((path) => path.startsWith("dist/") && /(?<!\.d)\.ts$/.test(path))
  assert.equal([...sources, ...typed, ...paths.filter((path) => path.endsWith(".map"))], [])
  assert.equal(
    paths.filter((path) => /\.(?:js|ts)$/.test(path) && /\n\/\/# sourceMappingURL=\S+\s*$/.test(read(path))),
    [],
  )
})

test("every file that package.json names is in the tarball", () => {
  const named = [manifest.bin, manifest.exports, manifest.imports].flatMap((target) => listFiles(target))
  assert.ok(named.length > 30)
  const missing = named.filter((file) => {
    const [before = "", after = ""] = file.split("*")
    return !paths.some(
      (path) => path === file || (file.includes("*") && path.startsWith(before) && path.endsWith(after)),
    )
  })
  assert.equal(missing, [])
  for (const name of programs) assert.ok(paths.includes(`dist/${name}.js`), name)
})

test("every import leads to a file of the tarball, a module of Node or an optional package", () => {
  const count = { relative: 0 }
  const wrong = ours.flatMap((path) =>
    (imported.get(path) ?? []).flatMap((name) => {
      if (name.startsWith(".")) {
        count.relative += 1
        return paths.includes(posix.join(posix.dirname(path), name)) ? [] : [`${path}: ${name}`]
      }
      const known = name.startsWith("#") ? Object.keys(manifest.imports).some((key) => matches(key, name)) : false
      const isNode = name.startsWith("node:")
      return known || isNode || options.includes(name.split("/")[0] as string) ? [] : [`${path}: ${name}`]
    }),
  )
  assert.ok(count.relative > 500)
  assert.equal(wrong, [])
})

function matches(pattern: string, name: string): boolean {
  return pattern === name || (pattern.endsWith("*") && name.startsWith(pattern.slice(0, -1)))
}

test("every entry loads on its own, and changes no global", async () => {
  // A package that one of the programs imports.
  symlinkSync(join(root, "node_modules", "hono"), join(folder, "node_modules", "hono"))
  const program = join(folder, "loads.mjs")
  writeFileSync(
    program,
    `const state = () => Object.entries(Object.getOwnPropertyDescriptors(globalThis))
// Node creates these globals when they are first used.
const lazy = new Set(state().flatMap(([name, { get }]) => (get ? [name] : [])))
const texts = () => new Map(state().filter(([name]) => !lazy.has(name)))
const getters = () => new Map(state().flatMap(([name, { get }]) => (get ? [[name, get]] : [])))
const [before, gettersBefore] = [texts(), getters()]
await import(process.argv[2])
const changed = [...texts()].filter(([name, { value }]) => !Object.is(before.get(name)?.value, value)).map(([name]) => name)
const replaced = [...gettersBefore].filter(([name, get]) => {
  const now = Object.getOwnPropertyDescriptor(globalThis, name)
  return now?.get && now.get !== get
}).map(([name]) => name)
console.log(JSON.stringify([...changed, ...replaced]))
`,
  )
  for (const name of entries) {
    const { stdout } = await run(["node", program, name])
    assert.equal(JSON.parse(stdout), [], name)
  }
  for (const condition of conditions) {
    const { stdout } = await run(["node", `--conditions=${condition}`, program, "fw"])
    assert.equal(JSON.parse(stdout), [], condition)
  }
})

/**
 * The largest number of files that a program with a server may load: each adds about half a millisecond to its
 * start.
 */
const maxLoaded = 35

test(`a server loads at most ${maxLoaded} files`, async () => {
  const program = join(folder, "loaded.mjs")
  writeFileSync(
    program,
    `import { Session } from "node:inspector"
const session = new Session()
session.connect()
const files = []
session.on("Debugger.scriptParsed", ({ params }) => files.push(params.url))
session.post("Debugger.enable")
await import("fw")
await import("fw/node")
console.log(JSON.stringify(files.filter((file) => file.includes("/fw/dist/"))))
`,
  )
  const { stdout } = await run(["node", program])
  const files = JSON.parse(stdout) as string[]
  assert.ok(files.some((file) => file.endsWith("/dist/adapters/node.js")))
  assert.ok(files.length <= maxLoaded, `${files.length} files: ${files}`)
})

test("every entry has types", async () => {
  const text = entries.map((name, index) => `import * as entry${index} from "${name}"\nvoid entry${index}\n`).join("")
  writeFileSync(join(folder, "entries.ts"), text)
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    lib: ["es2023", "webworker"],
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["entries.ts"] }))
  assert.equal(await compile(folder), [])
})

test("fw help explains a code, because the pages of the reference are published", async () => {
  const { stdout } = await run(["node", join(directory, manifest.bin.fw ?? ""), "help", "port_in_use"])
  assert.match(stdout, /^port_in_use\n\n[\s\S]*Messages, with example values:\n\n {2}:3000 is in use/)
})

test("App, Context, HttpError, FwError and Html each exist only once in all programs", () => {
  const places = new Map<string, string[]>()
  for (const path of ours) {
    for (const [, name = ""] of findCode(path).matchAll(/^(?:var (\w+) = )?class\b(?: (\w+))?/gm))
      places.set(name, [...(places.get(name) ?? []), path])
  }
  for (const name of ["App", "Context", "HttpError", "FwError", "Html"])
    assert.is(places.get(name)?.length, 1, `${name}: ${places.get(name)}`)
})

test("each module exists only once in all programs", () => {
  const modules = ours
    .filter((path) => !path.startsWith("dist/explorer/"))
    .flatMap((path) => [...new Set(read(path).match(/^\/\/ (?:bin|lib|template|adapters)\/[\w./-]+\.ts$/gm) ?? [])])
  assert.ok(modules.length > 700)
  assert.equal(
    modules.filter((name, index) => modules.indexOf(name) !== index),
    [],
  )
})

test("the code of programs is readable", () => {
  const long = scripts.filter((path) => {
    const lines = findCode(path)
      .split("\n")
      .filter((line) => line.trim() !== "")
    const length = lines.reduce((sum, line) => sum + line.length, 0)
    return lines.length > 20 && length / lines.length > 90 && !path.startsWith("dist/vendor/")
  })
  assert.equal(long, [])
  const comments = ours.flatMap((path) => read(path).match(/^\s*(?:\/\/ [A-Z]|\/\*\* )/gm) ?? [])
  assert.ok(comments.length > 3_000)
  const app = ours.find((path) => /^var App = class\b|^class App\b/m.test(read(path)))
  assert.match(read(app ?? ""), /^ \*\/\n(?:var App = )?class\b/m)
  assert.equal(
    ours.filter((path) => /\/\*!fw|\/\/!fw/.test(read(path))),
    [],
  )
})

test("vendored libraries can be loaded, and begin with their licences", async () => {
  const libraries = scripts.filter((path) => path.startsWith("dist/vendor/"))
  assert.ok(libraries.length >= 5)
  for (const path of libraries) {
    assert.match(read(path), /^\/\*!\n\S+@\d[\s\S]{20,}?(?:Copyright|copyright|LICEN[CS]E|licen[cs]e)/)
    assert.equal(
      (imported.get(path) ?? []).filter((name) => !name.startsWith("node:")),
      [],
      path,
    )
    await import(join(directory, path))
  }
})

test("the bill of materials names each vendored library, with the files that contain it", () => {
  const { components } = JSON.parse(read("dist/sbom.cdx.json")) as {
    components: ReadonlyArray<{ name: string; version: string; properties: { value: string }[] }>
  }
  const listed = components.flatMap(({ name, version, properties }) =>
    properties.map(({ value }) => `${value} ${name}@${version}`),
  )
  const vendored = scripts
    .filter((path) => path.startsWith("dist/vendor/"))
    .flatMap((path) => {
      const banner = /^\/\*!\n([\s\S]*?)\n\*\//.exec(read(path))?.[1] ?? ""
      return banner.split(`\n\n${"-".repeat(80)}\n\n`).map((text) => `${path} ${text.split("\n")[0]}`)
    })
  assert.ok(vendored.length > 5)
  assert.equal(listed.sort(), vendored.sort())
})

test.run()

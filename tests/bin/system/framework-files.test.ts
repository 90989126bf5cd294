/** The files and names that the command, the scripts and the documents look for by path are there. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { contextModules } from "../../../bin/openapi/types/calls-of-file.ts"
import {
  entryDeclarations,
  modulePattern,
  nodeBundle,
  platformFiles,
  programRunners,
  socketModule,
  typeModuleAt,
  typeModules,
  typeNames,
} from "../../../bin/system/framework-files.ts"
import { programPath, programs } from "../../../bin/system/package.ts"
import { root } from "../../support/tsc.ts"

const read = (path: string) => readFileSync(join(root, path), "utf8")
/** The targets of an import or an export of package.json, by condition. */
type Entry = string | { readonly [condition: string]: Entry }
const manifest = JSON.parse(read("package.json")) as {
  readonly exports: Readonly<Record<string, Entry>>
  readonly imports: Readonly<Record<string, Entry>>
  readonly files: readonly string[]
  readonly bin: Readonly<Record<string, string>>
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (/^(?:node_modules|fixtures|\.fw)$/.test(entry.name)) return []
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

/** The source of a program or of declarations below `dist/`. */
function sourceOf(path: string): string {
  return path.replace(/(?:\.d\.ts|\.js|\.ts)?$/, ".ts")
}

const named = [
  ...Object.values(typeModules),
  ...Object.values(platformFiles),
  ...Object.values(entryDeclarations),
  ...programRunners,
  socketModule,
]
for (const path of named) {
  test(`${path} has a source and is compiled`, () => {
    assert.ok(existsSync(join(root, sourceOf(path))))
    assert.ok(
      existsSync(join(root, "dist", path.includes(".d.ts") ? path : sourceOf(path).replace(/ts$/, "js"))),
    )
  })
}

for (const [name, module] of Object.entries(typeNames)) {
  test(`${module} exports ${name}`, () => {
    assert.match(read(`${module}.ts`), new RegExp(`^export (?:class|interface|type) ${name}\\b`, "m"))
  })
}

test("the type reader knows every module that declares methods of the context", () => {
  const chain = ["lib/context"]
  for (let path: string | undefined = chain[0]; path; ) {
    const text = read(`${path}.ts`)
    const base = /^export class Context.*\bextends (\w+)/m.exec(text)?.[1]
    const from = base && new RegExp(`import .*\\b${base}\\b.* from "(.+)\\.ts"`).exec(text)?.[1]
    path = from && posix.join(dirname(path), from)
    if (path) chain.push(path)
  }
  assert.ok(chain.length > 2, "the classes are found")
  const known = contextModules.map((name) => typeModules[name as keyof typeof typeModules])
  assert.equal([...known].sort(), chain.sort())
})

test("the module of a path below dist/ is recognized", () => {
  for (const [name, path] of Object.entries(typeModules)) assert.is(typeModuleAt(`${path}.d.ts`), name)
  assert.is(typeModuleAt("lib/errors.d.ts"), "other")
  assert.is(typeModuleAt("adapters/node.d.ts"), null)
})

test("frames of every bundle for Node are those of fw", () => {
  const pattern = new RegExp(modulePattern(nodeBundle))
  const files = readdirSync(join(root, "dist/node"))
  assert.ok(files.some((file) => file.endsWith(".cjs")))
  const missed = files.filter((file) => !pattern.test(`/app/node_modules/fw/dist/node/${file}`))
  assert.equal(missed, [])
})

test("a pattern of modules matches paths of every system", () => {
  const pattern = new RegExp(`[/\\\\]${modulePattern("a/b", "c")}$`)
  for (const path of ["/x/a/b.ts", "C:\\x\\a\\b.js", "/x/c.js"]) assert.match(path, pattern)
  for (const path of ["/x/ab.ts", "/x/a/b.json", "/x/b.ts"]) assert.not.match(path, pattern)
})

test("package.json names files that exist", () => {
  const targetsOf = (entry: Entry): string[] =>
    typeof entry === "string" ? [entry] : Object.values(entry).flatMap(targetsOf)
  const targets = [...Object.values(manifest.exports), ...Object.values(manifest.imports)].flatMap(targetsOf)
  const missing = [...targets, ...Object.values(manifest.bin)].filter((target) => {
    const [before = "", after] = target.split("*")
    if (after === undefined) return !existsSync(join(root, target))
    return !readdirSync(join(root, dirname(`${before}x`))).some((name) => name.endsWith(after))
  })
  assert.equal(missing, [])
  const folders = manifest.files.filter((entry) => !/[!*]/.test(entry))
  assert.equal(
    folders.filter((entry) => !existsSync(join(root, entry))),
    [],
  )
})

const sources = ["bin", "lib", "adapters"].flatMap(filesBelow).filter((path) => path.endsWith(".ts"))
const tests = filesBelow("tests").filter((path) => path.endsWith(".ts"))

test("the programs of the command exist", () => {
  for (const name of programs) assert.ok(existsSync(programPath(name)), name)
})

/** A file, a folder, or a module without its extension. */
function isThere(name: string): boolean {
  return existsSync(join(root, name)) || existsSync(join(root, `${name}.ts`))
}

/** A file of a project, as an example. */
const examples = ["lib/db.ts"]

test("comments and documents name files that exist", () => {
  const documents = [
    "CONTRIBUTING.md",
    ...filesBelow("docs/decisions"),
    ...filesBelow("scripts"),
    ...sources,
    ...tests.filter((path) => path.endsWith(".test.ts")),
  ]
  const missing = documents.flatMap((path) => {
    const text = /\.(?:ts|mjs)$/.test(path)
      ? (read(path).match(/^\s*(?:\/\*\*?|\*|\/\/) .*$/gm) ?? []).join("\n")
      : read(path)
    return [...text.matchAll(/`((?:bin|lib|adapters|tests|scripts)\/[\w./-]+)`/g)]
      .map(([, name]) => name as string)
      .filter((name) => !name.endsWith(".") && !examples.includes(name) && !isThere(name))
      .map((name) => `${path}: ${name}`)
  })
  assert.equal(missing, [])
})

test("these tests find the sources and tests of the repository", () => {
  assert.ok(sources.length > 300 && tests.length > 150)
  assert.ok(sources.every((path) => statSync(join(root, path)).isFile()))
})

test.run()

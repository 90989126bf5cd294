/** Tests that the files and names exist that the command, the scripts and the documents look for. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, sep } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import {
  contextModules,
  entryDeclarations,
  findTypeModule,
  platformFiles,
  typeModules,
  typeNames,
} from "../../../bin/system/framework-files.ts"
import { createFrameworkTest, getProgramPath, packageDirectory, programs } from "../../../bin/system/package.ts"
import { root } from "../../support/tsc.ts"

const read = (path: string) => readFileSync(join(root, path), "utf8")
function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (/^(?:node_modules|fixtures|\.fw)$/.test(entry.name)) return []
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

/** Returns the source of a program or of declarations below `dist/`. */
function readSource(path: string): string {
  return path.replace(/(?:\.d\.ts|\.js|\.ts)?$/, ".ts")
}

const named = [
  ...Object.values(typeModules),
  ...Object.values(platformFiles),
  ...Object.values(entryDeclarations),
  ...programs,
]
for (const path of named) {
  test(`${path} has a source`, () => assert.ok(existsSync(join(root, readSource(path)))))
}

for (const [name, module] of Object.entries(typeNames)) {
  test(`${module} exports ${name}`, () => {
    assert.match(read(`${module}.ts`), new RegExp(`^export (?:class|interface|type) ${name}\\b`, "m"))
  })
}

test("the type reader knows the modules that declare methods of the context and of its keys", () => {
  assert.match(read("lib/context.ts"), /^export class Context<.+> \{$/m)
  assert.match(read("lib/context-key.ts"), /^export interface ContextKey</m)
  const known = contextModules.map((name) => typeModules[name as keyof typeof typeModules])
  assert.equal(known, ["lib/context", "lib/context-key"])
})

test("the module of a path below dist/ is recognized", () => {
  for (const [name, path] of Object.entries(typeModules)) assert.is(findTypeModule(`${path}.d.ts`), name)
  assert.is(findTypeModule("lib/errors.d.ts"), "other")
  assert.is(findTypeModule("adapters/node.d.ts"), null)
})

test("all programs of this build exist", () => {
  assert.is(packageDirectory, root + sep)
  for (const name of programs) assert.ok(existsSync(getProgramPath(name)), `the program ${name} does not exist`)
})

test("code of fw is recognized, and other code is not", () => {
  const project = mkdtempSync(join(tmpdir(), "framework-files-"))
  const linked = join(project, "linked")
  mkdirSync(join(project, "node_modules"))
  mkdirSync(linked)
  symlinkSync(linked, join(project, "node_modules", "fw"))
  const isFramework = createFrameworkTest(project)
  const own = ["dist/chunks/A.js", "lib/app.ts", "adapters/node.ts", "bin/fw.ts"].map((file) => join(root, file))
  const installed = ["/app/node_modules/fw/dist/lib/index.js", join(realpathSync(linked), "dist/x.js")]
  for (const file of [...own, ...installed]) assert.ok(isFramework(file), `${file} is not recognized`)
  const others = ["tests/a.ts", "examples/tasks/lib/a.ts"].map((file) => join(root, file))
  const strangers = ["/app/lib/app.ts", "/app/node_modules/fwx/a.js", join(project, "lib/a.ts")]
  for (const file of [...others, ...strangers])
    assert.not.ok(isFramework(file), `${file} is recognized, although it is not code of fw`)
  rmSync(project, { recursive: true })
})

const sources = ["bin", "lib", "template", "adapters"].flatMap(filesBelow).filter((path) => path.endsWith(".ts"))
const tests = filesBelow("tests").filter((path) => path.endsWith(".ts"))

test("only the known modules look for files relative to themselves", () => {
  const found = sources.filter((path) =>
    /\bimport\.meta\.(?:url|dirname|filename)\b/.test(
      read(path).replace(/\/\*[\s\S]*?\*\/|"[^"\n]*"|'[^'\n]*'|`[^`]*`/g, ""),
    ),
  )
  assert.equal(found, [
    "bin/dev/bundle/load-program.ts",
    "bin/system/package.ts",
    "adapters/disk/own-directory.ts",
    // This module looks for files next to the executable.
    "adapters/executable/external.ts",
  ])
})

/** Returns true if there is a file or folder with this name, or a module without its extension. */
function isThere(name: string): boolean {
  return existsSync(join(root, name)) || existsSync(join(root, `${name}.ts`))
}

/** Files of an example project that comments name. */
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

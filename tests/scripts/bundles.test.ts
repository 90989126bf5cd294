/** The bundles that Node loads for the entries of the package: they export what the modules export, and each object once. */
import { readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { pathToFileURL } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { filesOf } from "../support/structure.ts"
import { root } from "../support/tsc.ts"

type Exports = Readonly<Record<string, unknown>>
type Entry = string | { readonly node?: string; readonly default: string; readonly "fw-modules"?: string }

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, Entry>>
}
const load = (path: string): Promise<Exports> => import(pathToFileURL(join(root, path)).href)
const entries = Object.entries(manifest.exports).flatMap(([name, entry]) =>
  typeof entry === "object" && entry.node ? [{ name, ...entry, node: entry.node }] : [],
)
const loaded = await Promise.all(
  entries.map(async ({ name, node, default: module }) => ({
    name,
    bundle: await load(node),
    modules: await load(module),
  })),
)
const files = [".js", ".cjs"].flatMap((ending) => filesOf(["dist/node"], ending))
const textOf = (path: string) => readFileSync(join(root, path), "utf8")

test("every entry that servers on Node use has a bundle, and other runtimes and fw build get its modules", () => {
  const without = Object.keys(manifest.exports).filter(
    (name) => !entries.some((entry) => entry.name === name),
  )
  assert.equal(without, ["./bun", "./deno", "./template", "./package.json"])
  for (const { name, default: module, ...conditions } of entries) {
    const others = Object.entries(conditions).filter(
      ([key]) => !["name", "fw-source", "types", "node"].includes(key),
    )
    assert.equal(others, [
      ["fw-modules", module],
      ["bun", module],
      ["deno", module],
      ["module", module],
    ])
    assert.ok(Object.keys(conditions).indexOf("node") > Object.keys(conditions).indexOf("module"), name)
    assert.ok(Object.keys(conditions).indexOf("node") > Object.keys(conditions).indexOf("deno"), name)
  }
})

for (const { name, bundle, modules } of loaded) {
  test(`the bundle of ${name} exports what its module exports`, () => {
    assert.equal(Object.keys(bundle).sort(), Object.keys(modules).sort())
    for (const [key, value] of Object.entries(modules)) {
      assert.is(typeof bundle[key], typeof value, key)
      if (typeof value !== "function") continue
      const other = bundle[key] as typeof value
      assert.equal([other.name, other.length], [value.name, value.length])
    }
  })
}

test("what several entries export is the same object in their bundles", () => {
  const places = (pick: "bundle" | "modules") => {
    const found = new Map<unknown, string[]>()
    for (const entry of loaded) {
      for (const [key, value] of Object.entries(entry[pick])) {
        if (typeof value !== "function" && typeof value !== "object") continue
        found.set(value, [...(found.get(value) ?? []), `${entry.name} ${key}`])
      }
    }
    return [...found.values()].filter((names) => names.length > 1).map((names) => names.join(", "))
  }
  assert.equal(places("bundle").sort(), places("modules").sort())
})

test("a server loads three files of fw", () => {
  const reached = new Set(["dist/node/index.js", "dist/node/node.js"])
  for (const path of reached) {
    for (const [, specifier = ""] of textOf(path).matchAll(/\bfrom"(\.[^"]+)";/g))
      reached.add(posix.join(posix.dirname(path), specifier))
  }
  assert.equal([...reached].sort(), ["dist/node/core.js", "dist/node/index.js", "dist/node/node.js"])
})

test("no path of this machine is in a bundle", () => {
  for (const path of files) assert.not.match(textOf(path), root)
})

test("a bundle has only characters that V8 keeps in one byte", () => {
  for (const path of files) assert.not.match(textOf(path), /[\u0100-\uffff]/)
})

test.run()

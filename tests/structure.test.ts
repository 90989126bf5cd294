/**
 * Tests the structure of the sources: imports between folders point in one direction, and files do not import each
 * other in a circle.
 */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { findCircles, importsAtStart, importsOfSources, listFiles } from "./support/structure.ts"
import { root } from "./support/tsc.ts"

const folders = ["bin", "lib", "template", "adapters", "vendor"]

/**
 * The folders, the highest first. A file imports from its own folder and from lower ones. Folders in one line do
 * not import from each other.
 */
const order: readonly (readonly string[])[] = [
  ["bin"],
  ["bin/mcp"],
  ["bin/commands"],
  ["bin/completion", "bin/build", "bin/new", "bin/testing", "bin/lsp"],
  ["bin/dev", "bin/generate", "bin/explorer"],
  ["bin/inspect", "bin/format"],
  ["bin/validators"],
  ["bin/openapi"],
  ["bin/assets"],
  ["bin/project"],
  ["bin/css", "bin/mapper"],
  ["bin/tools"],
  ["bin/specs"],
  ["bin/cli", "bin/rpc"],
  ["bin/docs"],
  ["bin/system"],
  ["bin/messages"],
  ["adapters", "template"],
  ["lib"],
  ["vendor"],
]

function findFolder(file: string): string {
  const [top = "", next = ""] = file.split("/")
  return top === "bin" && !next.includes(".") ? `${top}/${next}` : top
}

function findLevel(folder: string): number {
  return order.findIndex((level) => level.includes(folder))
}

const arrows = importsOfSources(folders)

test("every folder is in the list of folders", () => {
  const known = new Set(listFiles(folders, ".ts").map(findFolder))
  assert.equal([...known].sort(), order.flat().sort())
})

test("no import points against the order of the folders", () => {
  assert.ok(arrows.length > 1_000)
  const wrong = arrows.filter(({ from, to }) => {
    const [own, other] = [findFolder(from), findFolder(to)]
    return own !== other && findLevel(other) <= findLevel(own)
  })
  assert.equal(
    wrong.map(({ from, to }) => `${from} imports ${to}`),
    [],
  )
})

test("lib/ uses no module of Node and no package", () => {
  const found = listFiles(["lib"], ".ts").filter((file) =>
    /^(?:import|export)\b[^"';]*?\bfrom\s*"(?![.#])|\bimport\(\s*"(?![.#])/m.test(
      readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, ""),
    ),
  )
  assert.equal(found, [])
})

const { imports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  imports: { "#platform": Readonly<Record<string, { readonly "fw-source": string }>> }
}
const platforms = Object.entries(imports["#platform"]).flatMap(([condition, { "fw-source": file }]) =>
  condition === "types" ? [] : [[condition, file] as const],
)

test("no files import each other in a circle when a program starts", () => {
  assert.equal(findCircles(importsAtStart(folders)), [])
})

for (const [condition, file] of platforms) {
  test(`no files import each other in a circle on the platform of ${condition}`, () => {
    const started = importsAtStart(folders, file.replace(/^\.\//, ""))
    assert.ok(started.some(({ to }) => file.endsWith(to)))
    assert.equal(findCircles(started), [])
  })
}

test("only few files use each other's types in a circle", () => {
  // The first circle consists of a context's files, which access its private members; the next circle, of an app's
  // files.
  const circles = findCircles(importsOfSources(folders)).filter((files) => files.length > 1)
  assert.equal(
    circles.filter((files) => files.length >= 25),
    [],
  )
})

test("a folder has at most 40 modules, and one with more than ten has a README", () => {
  const counts = new Map<string, number>()
  const files = [...listFiles([...folders, "explorer"], ".ts"), ...listFiles(["scripts", "bench"], ".mjs")]
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const crowded = [...counts].filter(([, count]) => count > 40)
  assert.equal(crowded, [])
  const unexplained = [...counts].filter(
    ([folder, count]) => count > 10 && !existsSync(join(root, folder, "README.md")),
  )
  assert.equal(unexplained, [])
})

test("the search finds circles of imports", () => {
  const made = [
    { from: "a", to: "b" },
    { from: "b", to: "c" },
    { from: "c", to: "a" },
    { from: "c", to: "d" },
    { from: "e", to: "e" },
  ]
  assert.equal(findCircles(made), [["a", "b", "c"], ["e"]])
})

test.run()

/**
 * Tests of what the build reads in the text of a module: directories with literal names, and imports with computed
 * names.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { readHints } from "../../../bin/build/hints.ts"

type Named = [by: string, dir: string | null, prefix: string | null]

const directories: ReadonlyArray<readonly [source: string, ...named: Named[]]> = [
  ['app.static("/assets", "public")', ["static", "public", "/assets"]],
  ["app.static('/a\\x41', `pub\\u{6c}ic`,)", ["static", "public", "/aA"]],
  ["app?.static(prefix, './public')", ["static", "./public", null]],
  ['new App().static("/a", dir)', ["static", null, "/a"]],
  ['app.static("/a", process.env.UP ?? "up")', ["static", null, "/a"]],
  ['app.static("/a", `up/${name}`)', ["static", null, "/a"]],
  ['app.static("/a", join("x", "y"))', ["static", null, "/a"]],
  ['app.static(["/a", "/b"][0], "c")', ["static", "c", null]],
  ['app\n  .static(\n    "/a", // here\n    "b",\n  )', ["static", "b", "/a"]],
  ['const app = new App({ staticDir: "public" })', ["staticDir", "public", "/static"]],
  ['new App({ appDir: "x", "staticDir": "public", logger: { level: "off" } })', ["staticDir", "public", "/static"]],
  ["new App({ staticDir })", ["staticDir", null, "/static"]],
  ["new App({ logger: { staticDir: 'no' } })"],
  ["new App(options)"],
  ["new App()"],
  ["class A { static x(a, b) {} static (a, b) {} }"],
  ["const { staticDir } = config; type T = { staticDir: string }"],
  ['// app.static("/a", "b")\nconst s = \'app.static("/a", "b")\''],
  ['app.static("/a")'],
  ['app.static("/a", "b"); app.static("/c", "d")', ["static", "b", "/a"], ["static", "d", "/c"]],
]
for (const [source, ...named] of directories) {
  test(`the directories in ${source} are found`, () => {
    const found = readHints(source, "main.ts").directories
    assert.equal(
      found.map(({ by, dir, prefix }) => [by, dir, prefix]),
      named,
    )
  })
}

const embeds: ReadonlyArray<readonly [options: string, embed: boolean | null]> = [
  ["", true],
  [", {}", true],
  [", { embed: true }", true],
  [", { embed: false }", false],
  [', { "embed": false, }', false],
  [", { other: { embed: false } }", true],
  [", { embed: !isBuilt }", null],
  [", { embed }", null],
  [", { ...options }", null],
  [", options", null],
]
for (const [options, embed] of embeds) {
  test(`app.static("/a", "b"${options}) ${embed === null ? "may embed" : embed ? "embeds" : "does not embed"} its files`, () => {
    const [found] = readHints(`app.static("/a", "b"${options})`, "main.ts").directories
    assert.is(found?.embed, embed)
  })
}

const imports: ReadonlyArray<readonly [source: string, computed: boolean]> = [
  ['await import("./a.ts")', false],
  ["await import(name)", true],
  ["await import(`./words/${language}.ts`)", false],
  ["await import(`${name}`)", true],
  ["await import(`jose`)", false],
  ['import a from "a"\nimport.meta.url', false],
  ["loader.import(name)", false],
]
for (const [source, computed] of imports) {
  test(`${source} has ${computed ? "an import" : "no import"} with a computed name`, () =>
    assert.is(readHints(source, "a.ts").computedImports.length, computed ? 1 : 0))
}

test("a hint has the position of the directory's name or of the import", () => {
  const { directories, computedImports } = readHints('\n  app.static("/a", dir)\n\nimport(x)\n', "lib/a.ts")
  assert.equal(directories[0]?.at, { file: "lib/a.ts", line: 2, column: 20 })
  assert.equal(computedImports, [{ file: "lib/a.ts", line: 4, column: 1 }])
})

test("a module that cannot be parsed gives no hints", () => {
  assert.equal(readHints('app.static("/a", "b"', "a.ts"), { directories: [], computedImports: [] })
})

test.run()

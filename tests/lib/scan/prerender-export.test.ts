/**
 * Tests of `export const prerender`: which paths are rendered at build time, and the problems that the export can
 * have.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import type { DirectorySource } from "../../../lib/scan/walk.ts"
import { examine } from "../../../lib/scan.ts"

const page = "template Page() {\n  <h1>Hi</h1>\n}\n"
const get = "export const Get = (c) => c.json(200, {})\n"

/** Scans one file. Returns the patterns that are rendered at build time, and the problems. */
async function read(file: string, source: string) {
  const parts = file.split("/")
  const directory: DirectorySource = {
    async list(path) {
      const at = path === "." ? 0 : path.split("/").length
      const name = parts[at]
      return name === undefined ? null : [{ name, kind: at === parts.length - 1 ? "file" : "directory" }]
    },
    read: async () => source,
  }
  const { tree, problems } = await examine(directory, "app")
  const made = [...tree.pages, ...tree.routes].filter(({ prerender }) => prerender)
  return { made: made.map(({ pattern }) => pattern), problems, tree }
}

for (const [file, source, ...made] of [
  ["app/page.tpl", page],
  ["app/page.tpl", `export const prerender = true\n${page}`, "/"],
  ["app/page.tpl", `import { a } from "#a"\n\n/** Made. */\nexport const prerender = true as const\n\n${page}`, "/"],
  ["app/page.tpl", `export const prerender = false\n${page}`],
  ["app/page.tpl", `${page}\nexport const prerender = true\n`, "/"],
  ["app/page.tpl", `export const prerender = true\nconst example = \`\n${page}\`\n${page}`, "/"],
  ["app/page.ts", "export const prerender = true\nexport function Page(c) {}\n", "/"],
  ["app/feed.xml/route.ts", `export const prerender = true\n${get}`, "/feed.xml"],
  ["app/both/route.ts", `export const prerender = true\n${get}export const Post = (c) => c.noContent()\n`, "/both"],
  ["app/[slug]/page.tpl", `export function prerender() {\n  return [{ slug: "a" }]\n}\n\n${page}`, "/{slug}"],
  ["app/[slug]/page.tpl", `export const prerender: Prerender<"slug"> = async () => list()\n\n${page}`, "/{slug}"],
  ["app/[slug]/route.ts", `export { prerender } from "#posts"\n${get}`, "/{slug}"],
  ["app/[slug]/page.tpl", `export const prerender = false\n${page}`],
  ["app/docs/[[...cat]]/page.tpl", `export function prerender() {\n  return []\n}\n${page}`, "/docs", "/docs/*"],
  ["app/layout.tpl", "template Layout(title: string) {\n  <main>{children}</main>\n}\n"],
] as const) {
  test(`${file} with ${JSON.stringify(source.slice(0, 60))} renders ${made.join(", ") || "nothing"}`, async () => {
    const found = await read(file, source)
    assert.equal(found.problems, [])
    assert.equal(found.made, made)
  })
}

test("only Get of a file is rendered", async () => {
  const { tree } = await read("app/route.ts", `export const prerender = true\n${get}export const Post = (c) => 1\n`)
  assert.equal(
    tree.routes.map(({ method, prerender }) => [method, prerender]),
    [
      ["GET", true],
      ["POST", undefined],
    ],
  )
})

for (const [file, source, line, pattern] of [
  ["app/[a]/[b]/page.tpl", `\nexport const prerender = true\n${page}`, 2, /has parameters.*: a, b/],
  ["app/[a]/route.ts", `export const prerender = true\n${get}`, 1, /whose values only the program knows/],
  ["app/page.tpl", `export function prerender() {\n  return []\n}\n${page}`, 1, /neither true nor false/],
  ["app/page.tpl", `export const prerender = isProduction\n${page}`, 1, /neither true nor false/],
  ["app/page.tpl", `export const prerender = "auto"\n${page}`, 1, /neither true nor false/],
  ["app/page.tpl", `export const prerender = [1]\n${page}`, 1, /neither true nor false/],
  [
    "app/[a]/page.tpl",
    `export const prerender = [{ a: "1" }]\n${page}`,
    1,
    /must be a function, because the path has parameters/,
  ],
  ["app/route.ts", "export const prerender = true\nexport const Post = (c) => 1\n", 1, /exports no Get/],
  [
    "app/layout.tpl",
    `\n\nexport const prerender = true\ntemplate Layout(title: string) {\n  <p>a</p>\n}\n`,
    3,
    /of a layout/,
  ],
  ["app/route.ts", `export const preRender = true\n${get}`, 1, /Did you mean prerender\?/],
  ["app/page.tpl", `export const preRender = true\n${page}`, 1, /Did you mean prerender\?/],
  ["app/[a]/route.ts", `${get}export function getStaticPaths() {}\n`, 2, /Did you mean prerender\?/],
] as const) {
  test(`${file} with ${JSON.stringify(source.slice(0, 60))} is a problem`, async () => {
    const { made, problems } = await read(file, source)
    assert.equal(made, [])
    assert.is(problems.length, 1, problems.join("\n"))
    assert.match(problems[0]?.message ?? "", pattern)
    assert.is(problems[0]?.at?.file, file)
    assert.is(problems[0]?.at?.line, line)
    assert.ok(problems[0]?.fix)
  })
}

test.run()

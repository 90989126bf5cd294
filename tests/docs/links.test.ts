/**
 * Tests of links in documents: a link in a document that the package contains leads to another file in the package,
 * and to an existing heading. Links in pages for contributors lead to a file of the repository.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { listOwnFiles } from "../../bin/project/own-package.ts"
import { root } from "../support/tsc.ts"

const shipped = (await listOwnFiles()).map(({ path }) => path)
const folders = new Set(shipped.flatMap((path) => parents(path)))

/** Returns all folders that contain a file. */
function parents(path: string): string[] {
  const above = dirname(path)
  return above === "." ? [] : [above, ...parents(above)]
}

/** Returns Markdown without its code, because brackets mean something else there. */
function readText(path: string): string {
  return readFileSync(join(root, path), "utf8")
    .replace(/^(```+)[\s\S]*?^\1/gm, "")
    .replace(/`[^`\n]*`/g, "``")
}

/** Returns the targets of the links and pictures in a document, except those on other hosts. */
function readLinks(path: string): string[] {
  return [...readText(path).matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset)="([^"]+)"/g)]
    .map(([, link, picture]) => (link ?? picture) as string)
    .filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target))
}

/** Returns the anchors of a document's headings, as common renderers derive them from the text. */
function readAnchors(path: string): Set<string> {
  const text = readFileSync(join(root, path), "utf8").replace(/^(```+)[\s\S]*?^\1/gm, "")
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => heading as string)
  const slugs = headings.map((heading) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replace(/ /g, "-"),
  )
  return new Set(slugs)
}

const pictures = "docs/pictures"
const decisions = readdirSync(join(root, "docs/decisions")).map((name) => `docs/decisions/${name}`)
const documents = shipped.filter((path) => path.endsWith(".md"))
for (const path of [...documents, ...decisions, "CONTRIBUTING.md"]) {
  test(`${path}: every link leads to a file and a heading that exist`, () => {
    const dead = readLinks(path).filter((target) => {
      const [file = "", anchor] = target.split("#")
      const to = file === "" ? path : posix.join(dirname(path), decodeURI(file)).replace(/\/$/, "")
      // The package contains the documents without the pictures.
      const mayStayHere = !shipped.includes(path) || to.startsWith(`${pictures}/`)
      const isThere = shipped.includes(to) || (mayStayHere && existsSync(join(root, to)))
      if (!isThere) return anchor !== undefined || !folders.has(to)
      return anchor !== undefined && !readAnchors(to).has(decodeURIComponent(anchor))
    })
    assert.equal(dead, [])
  })
}

test("the index of docs/ lists every page", () => {
  const pages = documents.filter((path) => /^docs\/(?!README|reference\/errors\/)/.test(path))
  const listed = readLinks("docs/README.md").map((target) => posix.join("docs", target))
  assert.equal(
    pages.filter((path) => !listed.includes(path)),
    [],
  )
})

test("every picture is small and used on a page, and a chart exists for both themes", () => {
  const paths = readdirSync(join(root, pictures), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(pictures, entry.parentPath.slice(join(root, pictures).length), entry.name))
  const shown = new Set(documents.flatMap((path) => readLinks(path).map((target) => posix.join(dirname(path), target))))
  assert.ok(paths.length > 4)
  for (const path of paths) {
    assert.ok(statSync(join(root, path)).size < 60_000, path)
    assert.ok(shown.has(path), path)
    if (path.startsWith("docs/pictures/performance/"))
      assert.match(readFileSync(join(root, path), "utf8"), "prefers-color-scheme:dark")
  }
})

test("every decision has its own number", () => {
  const numbers = decisions.map((path) => /\/(\d{4})-/.exec(path)?.[1])
  assert.is(new Set(numbers).size, decisions.length)
})

test("decisions, which are for contributors, are not part of the package", () => {
  assert.ok(decisions.length > 20)
  assert.equal(
    shipped.filter((path) => decisions.includes(path)),
    [],
  )
})

test("the tests of links find more than 40 documents and more than 50 links", () => {
  assert.ok(documents.length > 40)
  assert.ok(documents.flatMap(readLinks).length > 50)
})

test.run()

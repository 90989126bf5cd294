/** The documentation as HTML: what Markdown becomes, and that nothing else is markup. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { SaxesParser } from "saxes"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { markdownHtml } from "../../../bin/docs/markdown.ts"
import { readDocs, sectionsOf } from "../../../bin/docs/pages.ts"
import { searchDocs } from "../../../bin/docs/search.ts"
import { root } from "../../support/tsc.ts"

const link = (target: string) => (target.startsWith("javascript:") ? null : target)
const html = async (text: string) => (await markdownHtml(text, link)).trim()

const markdown = suite("markdown")

for (const [text, expected] of [
  ["# fw `dev`", '<h1 id="fw-dev">fw <code>dev</code></h1>'],
  ["## A\n## A", '<h2 id="a">A</h2>\n<h2 id="a-1">A</h2>'],
  ["two\nlines\n\nnext", "<p>two\nlines</p>\n<p>next</p>"],
  [
    "**b** *e* _e_ a*b a_b_c 2 * 3 * 4",
    "<p><strong>b</strong> <em>e</em> <em>e</em> a*b a_b_c 2 * 3 * 4</p>",
  ],
  [
    "`a*b*` `` ` `` **`c`**",
    "<p><code>a*b*</code> <code>&#96;</code> <strong><code>c</code></strong></p>".replace("&#96;", "`"),
  ],
  ["<b onclick=x>&amp;</b>", "<p>&#60;b onclick=x&#62;&#38;amp;&#60;/b&#62;</p>"],
  ["a <!-- hidden --> b", "<p>a  b</p>"],
  [
    "[a `b`](c.md#d) [e](javascript:f) <https://g.example>",
    '<p><a href="c.md#d">a <code>b</code></a> e <a href="https://g.example">https://g.example</a></p>',
  ],
  ['[a](b"onclick=x)', '<p><a href="b&#34;onclick=x">a</a></p>'],
  ["[RFC](x_(y)) \\*not\\*", '<p><a href="x_(y)">RFC</a> *not*</p>'],
  ['![Alt "x"](a.png)', '<p><img src="a.png" alt="Alt &#34;x&#34;"></p>'],
  [
    "```ts run\n<a>\n\n# no\n```\nafter",
    '<pre tabindex="0" data-language="ts"><code>&#60;a&#62;\n\n# no</code></pre>\n<p>after</p>',
  ],
  [
    "- a\n- b\n  more\n  - c\n\n    ```sh\n    d\n    ```\n- e",
    '<ul>\n<li>a</li>\n<li>b\nmore<ul>\n<li><p>c</p>\n<pre tabindex="0" data-language="sh"><code>d</code></pre>\n</li>\n</ul>\n</li>\n<li>e</li>\n</ul>',
  ],
  ["3. a\n4. b\n\ntext", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>\n<p>text</p>'],
  [
    "| a | b |\n|---|---|\n| `x\\|y` | **z** |",
    '<div class="table" tabindex="0"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody>\n<tr><td><code>x|y</code></td><td><strong>z</strong></td></tr>\n</tbody></table></div>',
  ],
  [
    "| | b |\n|---|---|\n| a | c |",
    '<div class="table" tabindex="0"><table><thead><tr><td></td><th>b</th></tr></thead><tbody>\n<tr><td>a</td><td>c</td></tr>\n</tbody></table></div>',
  ],
  [
    "| | |\n|---|---|\n| a | c |",
    '<div class="table" tabindex="0"><table><tbody>\n<tr><td>a</td><td>c</td></tr>\n</tbody></table></div>',
  ],
  ["> a\n> b", "<blockquote>\n<p>a\nb</p>\n</blockquote>"],
  [
    '<picture>\n<source media="x" srcset="d.png">\n<img src="l.png" alt="An <i>" onload="x">\n</picture>',
    '<p><picture><source media="(prefers-color-scheme: dark)" srcset="d.png"><img src="l.png" alt="An &#60;i&#62;"></picture></p>',
  ],
] as const)
  markdown(JSON.stringify(text), async () => assert.is(await html(text), expected))

const directory = join(root, "docs")
const pages = await readDocs(directory)

markdown("each page of the documentation becomes well-formed HTML, without Markdown in it", async () => {
  assert.ok(pages.length > 40)
  for (const { path, text } of pages) {
    const made = await html(text)
    const parser = new SaxesParser()
    parser.on("error", (error) => assert.unreachable(`${path}: ${error.message}`))
    parser.write(`<div>${made.replace(/<(img|hr|source)([^>]*)>/g, "<$1$2/>")}</div>`).close()
    const words = made.replace(/<pre[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>/g, "")
    assert.not.match(words, /\*\*|```|\]\(|^\|/m, path)
  }
})

markdown("links to headings work, because headings and links get the same ids", async () => {
  for (const { path, text } of pages) {
    const ids = [...(await html(text)).matchAll(/<h\d id="([^"]*)"/g)].map(([, id]) => id)
    const anchors = sectionsOf(text.replace(/<!--[\s\S]*?-->\n*/g, "")).map(({ anchor }) => anchor)
    assert.equal(
      ids,
      anchors.filter((anchor) => anchor !== ""),
      path,
    )
  }
})

markdown("a page of the error reference can be read", () => {
  assert.ok(pages.some(({ path }) => path === "reference/errors/README.md"))
  assert.match(readFileSync(join(directory, "README.md"), "utf8"), /^# /m)
})

markdown.run()

const search = suite("docs search")

for (const [query, page, heading] of [
  ["fw test watch", "reference/testing.md", "fw test"],
  ["signed cookies secrets", undefined, undefined],
  ["trailing slash redirect", undefined, undefined],
] as const) {
  search(query, () => {
    const hits = searchDocs(pages, query)
    assert.ok(hits.length > 0)
    if (page)
      assert.ok(
        hits.slice(0, 5).some((hit) => hit.page === page && hit.heading === heading),
        JSON.stringify(hits.slice(0, 5)),
      )
    for (const { excerpt } of hits) assert.ok(excerpt.length <= 410)
  })
}

search("a search for unknown words or for nothing finds nothing", () => {
  assert.equal(searchDocs(pages, "xyzzyplugh"), [])
  assert.equal(searchDocs(pages, " ,; "), [])
})

search.run()

// Tests of XML templates: what the compiler refuses, and that a strict parser reads the output as it was meant.

import { readFileSync } from "node:fs"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile, formatDiagnostic } from "../../template/index.ts"
import { load } from "../fixtures/template/render.ts"
import { inPage, testRules } from "../support/template/template-cases.ts"
import { parseXml, type XmlNode } from "../support/template/xml.ts"
import { markupVectors, urlVectors } from "../support/template/xss-vectors.ts"

const declaration = '<?xml version="1.0" encoding="UTF-8"?>'

testRules(
  {
    "21: XML is well-formed": inPage([
      ['¦<?xml version="1.1"?><a/>', "not a declaration of XML 1.0 in UTF-8 … UTF-8"],
      ['¦<?xml version="1.0" encoding="latin1"?><a/>', "in UTF-8"],
      ["¦<?xml?><a/>", "not a declaration"],
      [`<a/>¦${declaration}`, "the XML declaration must be the first text of a document … first"],
      [`<a>¦${declaration}</a>`, "must be the first text of a document"],
      [`{if (x) {¦${declaration}}}`, "must be the first text of a document"],
      ["¦<? a?>", "not followed by a valid name"],
      ["¦<?a", 'this "<?" is never closed'],
      ["<a>¦&nbsp;</a>", "XML does not have this entity … &#160;"],
      ["<a>x ¦& y</a>", "does not have this entity … &amp;"],
      ['<a b="x ¦& y"/>', "does not have this entity"],
      ["<a>¦&#0;</a>", "XML 1.0 cannot hold this character"],
      ["<a>¦&#x110000;</a>", "cannot hold this character"],
      ["<a>x¦\u0001</a>", "cannot hold this character"],
      ["¦<![CDATA[\u0001]]>".replace("¦", "").replace("\u0001", "¦\u0001"), "cannot hold this character"],
      ["<a ¦b/>", 'the attribute "b" has no value in quotes … b="…"'],
      ["<a ¦b=c/>", "no value in quotes"],
      ['<a b="¦<"/>', 'a value in XML cannot hold "<"'],
      ['<a b="1" ¦b="2"/>', '"b" is written twice'],
      ["<A>¦</a></A>", "</a> does not close <A> of line 2"],
      ["{if (x) {¦<a>}}", "<a> is never closed"],
      ["{if (x) {¦<br>}}", "<br> is never closed"],
      ["¦<a:b:c/>", '"a:b:c" is not a valid name'],
      ["¦<a\u00d7/>", "is not a valid name"],
      ['<a ¦:b="c"/>', '":b" is not a valid name'],
      ["¦<{x}/>", "the name of an element in XML must be literal"],
      ["¦<!doctype a><a/>", "neither a comment nor a doctype"],
      [`${declaration}<a/>¦<b/>`, "one root element … <a>"],
      [`${declaration}<a>¦<b:c/></a>`, 'the prefix "b" has no namespace … xmlns:b="…"'],
      [`${declaration}<a>{if (x) {<b ¦c:d={x}/>}}</a>`, 'the prefix "c" has no namespace'],
      [`${declaration}<a><b xmlns:c="d"/>¦<c:e/></a>`, 'the prefix "c" has no namespace'],
    ]),
    "21: scripts and namespaces": inPage([
      ["¦<script>x</script>", "<script> is refused in XML … HTML page"],
      ["¦<SCRIPT/>", "is refused in XML"],
      ["¦<svg:script/>", "<svg:script> is refused"],
      ["<a ¦xmlns={x}/>", "a namespace must be literal"],
      ["<a ¦xmlns:b={x}/>", "a namespace must be literal"],
      ["<a ¦onclick={x}/>", '"onclick" is evaluated as code'],
      ["<svg ¦onload={x}/>", "evaluated as code"],
      ["<iframe ¦srcdoc={x}/>", "evaluated as code"],
      ["<set ¦to={x}/>", "evaluated as code"],
      ['<svg:set attributeName="href" ¦to={x}/>', "evaluated as code"],
      ['<meta http-equiv="refresh" ¦content={x}/>', '"content" takes no expression in a tag with "http-equiv"'],
      ['<h:meta name="htmx-config" ¦content={x}/>', "htmx merges it"],
      ["<meta name={x} ¦{...x}/>", "literally"],
      ["<style>¦{x}</style>", "<style> takes no interpolation"],
    ]),
  },
  "feed.xml.tpl",
)

test("valid XML templates that look wrong compile", () => {
  const bodies = [
    '<?xml-stylesheet href="a.css" type="text/css"?><a/>',
    `${declaration}<!DOCTYPE plist PUBLIC "-//x" "http://x.example/p.dtd"><plist version="1.0"/>`,
    `${declaration}<a xmlns:b="c"><b:d b:e="f" xml:lang="en"/></a>`,
    `${declaration}<a>{Part() {<b:c/>}}</a>`,
    "<_a/><\u00e9/><a.b-c/><Foo/><title><b/></title><br></br><input/><textarea>{if (x) {<b/>}}</textarea>",
    '<a b="1" B="2"/>',
    '<a x-data={x} to={x} data={x} action={x} _={x}/><set attributeName="opacity" to={x}/>',
    "<a>&amp;&lt;&gt;&quot;&apos;&#10;&#xA;</a>",
    "<!-- dropped -- & < --><a/>",
  ]
  for (const body of bodies) {
    const { diagnostics } = compile(`template Page(x: any) {${body}}`, "feed.xml.tpl")
    assert.equal(diagnostics.map(formatDiagnostic), [], body)
  }
})

/** Returns the output of an XML template's body for a value. */
async function print(body: string, v?: unknown): Promise<string> {
  const source = `import { rawXml } from "fw/html"\nexport const trust = rawXml\ntemplate Page(v: any) {${body}}`
  const { Page } = await load(source, "test.xml.tpl")
  return String(await Page?.(v))
}

const printed: ReadonlyArray<readonly [body: string, value: unknown, text: string]> = [
  ["<a/><b></b>", undefined, "<a/><b></b>"],
  ["<a>]]></a>", undefined, "<a>]]&gt;</a>"],
  ["<a>{v}></a>", "]]", "<a>]]&gt;</a>"],
  ["<a>{v}</a>", "]]>", "<a>]]&gt;</a>"],
  ["<a>{v}</a>", "a\u0000\u0008\ufffe\uffff\ud800b\udc00\u{1f600}", "<a>ab\u{1f600}</a>"],
  ["<a>{v}{v}</a>", "\ud83d", "<a></a>"],
  ["<a b={v}/>", "\u000b\u001f\u007f", '<a b="\u007f"/>'],
  ["<a>{v}</a>", "1\r\n2", "<a>1&#13;\n2</a>"],
  ["<a b={v}/>", "1\t2\r\n3", '<a b="1&#9;2&#13;&#10;3"/>'],
  ["<a b={v} c={!v}/>", true, '<a b="true" c="false"/>'],
  ["<a b={v} c={undefined}/>", null, "<a/>"],
  ["<a>{v}{0}{false}{null}{[1n, ['x']]}</a>", 1, "<a>101x</a>"],
  ["<A bC={v}>{v}</A>", '<&">', '<A bC="&lt;&amp;&quot;&gt;">&lt;&amp;"&gt;</A>'],
  ["<a>{rawXml(v)}</a>", "<b/>", "<a><b/></a>"],
  ["<a href={v}/>", "ht\u0000tps://x.example/", '<a href="https://x.example/"/>'],
  ["<a href={v}/>", "javascript:alert(1)", '<a href="about:invalid#blocked"/>'],
  ["<a href={v}/>", "java\u0000script:alert(1)", '<a href="about:invalid#blocked"/>'],
  [
    "<x:a xlink:href={v} src={v} url={v}/>",
    "data:x",
    `<x:a${[" xlink:href", " src", " url"].map((name) => `${name}="about:invalid#blocked"`).join("")}/>`,
  ],
  ["<a href={v}/>", new URL("https://x.example/?a=1&b"), '<a href="https://x.example/?a=1&amp;b"/>'],
  ["<img src={v}/>", "data:image/png;base64,AA", '<img src="data:image/png;base64,AA"/>'],
  ["<a style={v}/>", { color: "red", background: "red;x" }, '<a style="color:red;background:fw-blocked"/>'],
  ['<a b="1" {...v}/>', { b: 2, c: true, D: 3, "x:e": null }, '<a b="1" c="true" D="3"/>'],
  ["<a>  x\n  y </a> <b/>", undefined, "<a> x y </a> <b/>"],
  ['<a xml:space="preserve">\n  {v}\n</a>', "x", '<a xml:space="preserve">\n  x\n</a>'],
  ["<a><![CDATA[ {v} <b> ]]></a>", "x", "<a><![CDATA[ {v} <b> ]]></a>"],
  ["{for (const x of v) {<i>{x}</i>} else {<none/>}}", [], "<none/>"],
]

test("values and markup are printed as well-formed XML", async () => {
  for (const [body, value, text] of printed) assert.is(await print(body, value), text, body)
})

test("values that XML cannot contain throw", async () => {
  const wrong: ReadonlyArray<readonly [body: string, value: unknown, message: RegExp]> = [
    ["<a>{v}</a>", {}, /An object \(Object\) cannot be printed in XML/],
    ["<a>{v}</a>", true, /"true" cannot be printed/],
    ["<a>{v}</a>", Promise.resolve(""), /await/],
    ["<a b={v}/>", [], /in the attribute b/],
    ["<a>{rawXml(v)}</a>", `${declaration}<b/>`, /cannot be printed inside other XML/],
    ["<a {...v}/>", { onload: "x" }, /"onload" cannot be spread/],
    ["<a {...v}/>", { xmlns: "x" }, /cannot be spread/],
    ["<a {...v}/>", { "a b": "x" }, /cannot be spread/],
    ["<meta http-equiv='refresh' {...v}/>", { content: "x" }, /cannot be spread/],
    ["<h:meta {...v}/>", { name: "htmx-config" }, /"htmx-config" cannot be spread/],
    ["<set {...v}/>", { to: "x" }, /cannot be spread/],
  ]
  for (const [body, value, message] of wrong) {
    try {
      await print(body, value)
    } catch (error) {
      assert.instance(error, TypeError, body)
      assert.match((error as Error).message, message)
      continue
    }
    assert.unreachable(body)
  }
})

/** Returns the characters of a text that XML 1.0 allows. */
const held = (text: string): string =>
  [...text].filter((one) => /[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(one)).join("")

test("no attack changes an XML document, and parsing it gives the values back", async () => {
  const body = `${declaration}<a><b c={v} d:e={v} xmlns:d="f">{v}</b><g {...{ h: v }} href={v}>{[v]}x{v}></g></a>`
  const { Page } = await load(`template Page(v: any) {${body}}`, "test.xml.tpl")
  for (const v of [...markupVectors, ...urlVectors, "]]>", "]]", "\u0000\ud800", "\r\n\t", "&amp;"]) {
    const root = parseXml(String(await Page?.(v)))
    const [b, g] = root.children as [XmlNode, XmlNode]
    const text = held(v)
    assert.equal([root.name, b.name, g.name, b.children, g.children], ["a", "b", "g", [], []], v)
    assert.equal(b.attributes, { c: text, "d:e": text, "xmlns:d": "f" }, v)
    assert.is(b.text, text)
    assert.is(g.text, `${text}x${text}>`)
    assert.is(g.attributes.h, text)
    assert.not.match(g.attributes.href ?? "", /^\W*(?:javascript|vbscript|data):/i, v)
  }
})

const page = readFileSync(new URL("../../docs/reference/templates.md", import.meta.url), "utf8")
const example = (name: string): string => {
  const found = new RegExp(`^\`\`\`tpl\\n(// \\S*${name}\\.xml\\.tpl\\n[\\s\\S]*?)^\`\`\`$`, "m").exec(page)?.[1]
  assert.ok(found, `docs/reference/templates.md has no example of ${name}.xml.tpl`)
  return found
}

test("the feed in templates.md is valid RSS 2.0", async () => {
  const { Feed } = await load(example("feed"), "feed.xml.tpl")
  const posts = [
    { id: 1, title: 'Tom & "Jerry" <3', published: new Date(0), summary: "<p>]]></p>\u0000" },
    { id: 2, title: "Two", published: new Date("2026-11-22T10:00:00Z"), summary: "" },
  ]
  const rss = parseXml(String(await Feed?.(posts)))
  assert.equal([rss.name, rss.attributes.version], ["rss", "2.0"])
  const [channel] = rss.children as [XmlNode]
  const names = channel.children.map(({ name }) => name)
  assert.equal(names, ["title", "link", "description", "atom:link", "item", "item"])
  const link = channel.children[3]
  assert.is(link?.uri, "http://www.w3.org/2005/Atom")
  const items = channel.children.filter(({ name }) => name === "item")
  const of = (item: XmlNode | undefined, name: string) => item?.children.find((one) => one.name === name)
  assert.is(of(items[0], "title")?.text, 'Tom & "Jerry" <3')
  assert.is(of(items[0], "description")?.text, "<p>]]></p>")
  assert.is(of(items[0], "guid")?.attributes.isPermaLink, "false")
  assert.is(of(items[1], "pubDate")?.text, "Sun, 22 Nov 2026 10:00:00 GMT")
  assert.match(of(items[1], "link")?.text ?? "", /^https:\/\/\S+\/posts\/2$/)
})

test("the sitemap in templates.md is valid by the rules of sitemaps.org", async () => {
  const { Sitemap } = await load(example("sitemap"), "sitemap.xml.tpl")
  const pages = [
    { path: "/", changed: new Date("2026-11-22T10:00:00Z") },
    { path: "/search?q=a&b=<c>", changed: null },
  ]
  const root = parseXml(String(await Sitemap?.("https://example.org", pages)))
  assert.equal([root.name, root.uri], ["urlset", "http://www.sitemaps.org/schemas/sitemap/0.9"])
  assert.equal(
    root.children.map(({ children }) => children.map(({ name, text }) => [name, text])),
    [
      [
        ["loc", "https://example.org/"],
        ["lastmod", "2026-11-22T10:00:00.000Z"],
      ],
      [["loc", "https://example.org/search?q=a&b=<c>"]],
    ],
  )
})

test.run()

/**
 * Tests that attacks are printed without effect in every position that takes a value, and that harmless values are
 * printed unchanged. The browser test uses the same values.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile } from "../../template/index.ts"
import { load, renderBody } from "../fixtures/template/render.ts"
import { type Place, places, refusedPlaces } from "../support/template/xss-places.ts"
import { goodStyles, nameVectors, styleVectors } from "../support/template/xss-styles.ts"
import { foreignUrls, goodUrls, markupVectors, urlVectors } from "../support/template/xss-vectors.ts"

interface Tag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

const entities: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", "#39": "'" }
const decode = (text: string): string =>
  text.replace(/&(quot|amp|lt|gt|#39);/g, (whole, name: string) => entities[name] ?? whole)

const tagAt = /<(\/?[a-z][^\s/>]*)((?:\s+[^\s"'<>/=]+(?:=(?:"[^"]*"|[^\s"'<>=`]+))?)*)\s*\/?>/giy

/** Splits a page into its tags and the text between them. It only knows the syntax that the output may contain. */
function tokenise(page: string): { tags: Tag[]; texts: string[] } {
  const tags: Tag[] = []
  const texts = [""]
  for (let at = 0; at < page.length; ) {
    tagAt.lastIndex = at
    const found = page[at] === "<" ? tagAt.exec(page) : null
    if (!found) {
      texts.push((texts.pop() ?? "") + page[at++])
      continue
    }
    at = tagAt.lastIndex
    const attributes: Record<string, string> = {}
    for (const [, name = "", quoted, bare] of (found[2] ?? "").matchAll(/([^\s=]+)(?:=(?:"([^"]*)"|(\S+)))?/g)) {
      attributes[name.toLowerCase()] = decode(quoted ?? bare ?? "")
    }
    tags.push({ name: (found[1] ?? "").toLowerCase(), attributes })
    texts.push("")
  }
  return { tags, texts }
}

/** Returns the tags with the names of their attributes, which no value may change. */
const shape = (page: string): string[] =>
  tokenise(page).tags.map(({ name, attributes }) => [name, ...Object.keys(attributes)].join(" "))

const urlAttribute = /^(?:href|src|action|formaction|data|poster|cite|xlink:href|hx-get|data-hx-post)$/
const allowed = new Set(["http:", "https:", "mailto:", "tel:", "sms:", "about:"])

/** Returns true if a URL, read as a browser reads it, leads to a plain resource. */
function isHarmless(url: string, image: boolean): boolean {
  // A browser resolves a relative URL with the URL of the page, and does not open a URL that it cannot parse.
  if (!URL.canParse(url, "https://page.example/")) return true
  const parsed = new URL(url, "https://page.example/")
  return allowed.has(parsed.protocol) || (image && /^data:image\/[\w.+-]+(?:[;,]|$)/.test(parsed.href))
}

function check({ kind, body }: Place, page: string, benign: string, v: string): void {
  const what = `${body} with ${JSON.stringify(v)}: ${page}`
  const { tags, texts } = tokenise(page)
  if (kind === "script") {
    assert.is(tags.length, 2, what)
    assert.not.match(texts[1] ?? "", /[<>&\u2028\u2029]/, what)
    const out: unknown = body.includes("json")
      ? JSON.parse(texts[1] ?? "")
      : new Function("alert", `let out; ${texts[1]}; return out`)(() => assert.unreachable(what))
    assert.equal(out, body.includes("list") ? { v, list: [v], [v]: 1 } : v, what)
    return
  }
  const changed = v === "" && kind !== "text"
  if (!changed) assert.equal(shape(page), shape(benign), what)
  for (const text of texts) assert.not.match(text, /[<>](?!$)/, what)
  for (const { name, attributes } of tags) {
    for (const [key, value] of Object.entries(attributes)) {
      if (urlAttribute.test(key)) assert.ok(isHarmless(value, kind === "image"), what)
      if (key === "srcset") for (const url of value.split(/[\s,]+/)) assert.ok(isHarmless(url, true), what)
      if (key === "style") assert.not.match(value, /url|expression\s*\(|[{}<>\\@]|\/\*/i, what)
      assert.not.match(key, /^on/, `${name}: ${what}`)
    }
  }
}

for (const place of places) {
  test(`no attack works in ${place.body}`, async () => {
    const { Page } = await load(`template Page(v: any) {${place.body}}`)
    assert.ok(Page)
    const benign = String(await Page("x"))
    for (const v of [...markupVectors, ...urlVectors, ...styleVectors]) {
      check(place, String(await Page(v)), benign, v)
    }
  })
}

test("the compiler refuses a value at a position that cannot be made safe", async () => {
  for (const body of refusedPlaces) {
    const { diagnostics } = compile(`template Page(v: any) {${body}}`, "page.tpl")
    assert.ok(diagnostics.length > 0, body)
    assert.ok(diagnostics[0]?.fix, body)
  }
})

test("a slash in a script is read as browsers read it", async () => {
  const cases: readonly (readonly [script: string, printed: string])[] = [
    ["x = a / {{v}}", "x = a / 4"],
    ["x = a[0] / {{v}}", "x = a[0] / 4"],
    ["x = {{v}} / {{v}} / 2", "x = 4 / 4 / 2"],
    ["x = (a + b) / 2\ny = {{v}}", "x = (a + b) / 2\ny = 4"],
    ["if (y) /['`]/.test(y)\nx = {{v}}", "if (y) /['`]/.test(y)\nx = 4"],
    ["for await (const y of z) /'/.test(y)\nx = {{v}}", "for await (const y of z) /'/.test(y)\nx = 4"],
    ["x = a.if(b) / 2 // '\ny = {{v}}", "x = a.if(b) / 2 // '\ny = 4"],
    ["while (n --> 0) f({{v}})", "while (n --> 0) f(4)"],
    ["x = a < !--b\ny = {{v}}", "x = a < !--b\ny = 4"],
  ]
  for (const [script, printed] of cases) {
    assert.is(await renderBody(`<script>${script}</script>`, 4), `<script>${printed}</script>`)
  }
})

test("a value in a script never ends a string, a template literal or a regular expression", async () => {
  for (const type of ["", ' type="application/json"']) {
    const printed = await renderBody(`<script${type}>{{v}}</script>`, "a/b'c`d$" + "{e}")
    assert.is(printed, `<script${type}>"a\\/b\\u0027c\\u0060d\\u0024{e}"</script>`)
    assert.is(JSON.parse(printed.replace(/<[^>]*>/g, "")), "a/b'c`d$" + "{e}")
  }
})

test("URLs that run code are blocked, and harmless URLs are printed", async () => {
  const { Page } = await load("template Page(v: any) {<a href={v}></a>}")
  const href = async (v: string): Promise<string | undefined> =>
    tokenise(String(await Page?.(v))).tags[0]?.attributes.href
  for (const v of urlVectors) assert.is(await href(v), "about:invalid#blocked", v)
  for (const v of goodUrls) assert.is(await href(v), v, v)
})

test("code is loaded only from the page's own origin", async () => {
  const places = ["<script src={v}></script>", "<svg><script href={v}></script></svg>", "<base href={v}>"]
  const spread = [
    "<script {...{ src: v }}></script>",
    "<div sse-connect={v}></div>",
    "<div data-ws-connect={v}></div>",
    ...["hx-sse:connect", "hx-ws:connect", "data-hx-sse:connect", "hx-sse:connect:inherited", "hx-sse-connect"].flatMap(
      (name) => [`<div ${name}={v}></div>`, `<div {...{ "${name}": v }}></div>`],
    ),
  ]
  for (const body of [...places, ...spread]) {
    for (const v of foreignUrls) assert.match(await renderBody(body, v), '="about:invalid#blocked"', `${body} ${v}`)
    for (const v of ["", "/", "/a.js", "a.js?b=//c:d", "./a:b", "#x:y", "?http://x", "/a//b"]) {
      assert.match(await renderBody(body, v), `="${v}"`, body)
    }
  }
})

test("attributes of htmx block code, also in names with modifiers", async () => {
  for (const name of ["hx-get:inherited", "data-hx-post:append", "hx-get:inherited:append"]) {
    assert.match(await renderBody(`<p ${name}={v}></p>`, "javascript:alert(1)"), '="about:invalid#blocked"', name)
  }
  for (const name of ["hx-target", "hx-select", "data-hx-include", "hx-target:inherited", "hx-any"]) {
    for (const v of ["js:alert(1)", " JS:alert(1)", "javascript:alert(1)", "\n\tjavascript :alert(1)"]) {
      assert.match(await renderBody(`<p ${name}={v}></p>`, v), `${name}="fw-blocked"`, v)
      assert.match(await renderBody(`<p {...{ "${name}": v }}></p>`, v), `${name}="fw-blocked"`, v)
    }
    assert.match(await renderBody(`<p ${name}={v}></p>`, "Delete: sure?"), `${name}="Delete: sure?"`)
  }
  for (const name of ["hx-vals:append", "hx-headers:inherited"]) {
    assert.is(await renderBody(`<p ${name}={v}></p>`, { a: 1 }), `<p ${name}="{&quot;a&quot;:1}"></p>`)
    await renderBody(`<p ${name}={v}></p>`, "js:alert(1)").then(
      () => assert.unreachable(name),
      (error: unknown) => assert.match(String(error), "takes an object"),
    )
  }
})

test("paint attributes of SVG may refer to a part of the page, but load nothing", async () => {
  const print = (body: string, v: string) => renderBody(`<svg>${body}</svg>`, v)
  for (const v of [...styleVectors, "url(//evil.example/x#a)", "url(#a) url(//evil.example)", "red;url(x)"]) {
    const printed = await print("<path fill={v}></path>", v)
    assert.not.match(printed, /evil|url\(x|\\|@/, v)
    assert.is(
      (await print("<set attributeName=fill to={v}/>", v)).includes("fw-blocked"),
      printed.includes("fw-blocked"),
    )
  }
  for (const v of ["red", "url(#a)", "url(#a) none", "rgb(1 2 3 / 0.5)", "none", "#fff", "red;blue"]) {
    assert.is(await print("<path mask={v}></path>", v), `<svg><path mask="${v}"></path></svg>`, v)
  }
})

test("image data is allowed only in an image's src", async () => {
  for (const type of ["png", "gif", "jpeg", "webp", "avif"]) {
    const url = `data:image/${type};base64,AA==`
    assert.is(await renderBody("<img src={v}>", url), `<img src="${url}">`)
    assert.is(await renderBody("<img srcset={v}>", `${url} 2x`), `<img srcset="${url} 2x">`)
    assert.is(await renderBody("<a href={v}></a>", url), '<a href="about:invalid#blocked"></a>')
    assert.is(await renderBody("<iframe src={v}></iframe>", url), '<iframe src="about:invalid#blocked"></iframe>')
  }
})

test("each URL of a srcset is checked", async () => {
  const blocked = "about:invalid#blocked"
  const cases: readonly (readonly [string, string])[] = [
    ["a.png", "a.png"],
    ["a.png 1x, b.png 2x", "a.png 1x, b.png 2x"],
    ["a.png 100w,b.png 200w 30h", "a.png 100w, b.png 200w 30h"],
    [" , a.png 1x ,, b.png", "a.png 1x, b.png"],
    ["a,b.png 1x", "a,b.png 1x"],
    ["a.png, javascript:alert(1) 2x", `a.png, ${blocked} 2x`],
    ["javascript:alert(1)", blocked],
    ["data:text/html,x 1x", `${blocked} 1x`],
    ['a.png 1x"onerror=', "a.png"],
    ["a.png (x, y) 2x, b.png", "a.png, b.png"],
    ["", ""],
  ]
  for (const [given, printed] of cases) {
    assert.is(await renderBody("<img srcset={v}>", given), `<img srcset="${printed}">`, given)
  }
})

test("harmful style values are blocked, and harmless ones are printed", async () => {
  const style = async (v: string): Promise<string | undefined> =>
    tokenise(await renderBody("<p style={{ color: v }}></p>", v)).tags[0]?.attributes.style
  for (const v of styleVectors) assert.is(await style(v), "color:fw-blocked", JSON.stringify(v))
  for (const v of goodStyles) assert.is(await style(v), `color:${v}`, v)
})

test("a style name that is not a plain property name throws", async () => {
  for (const name of ["behavior", "-moz-binding", "MozBinding", "a b", "a:b", "a;b", "a}", "", "1a", 'a"', "x/**/"]) {
    let error: unknown
    await renderBody("<p style={v}></p>", { [name]: "x" }).catch((thrown: unknown) => {
      error = thrown
    })
    assert.instance(error, TypeError, name)
  }
})

test("attribute names that run code or are invalid cannot be spread", async () => {
  const { Page } = await load("template Page(v: any) {<p {...v}></p>}")
  for (const name of nameVectors) {
    assert.throws(() => Page?.({ [name]: "alert(1)" }), /cannot be spread/, JSON.stringify(name))
  }
  const meta = await load('template Page(v: any) {<meta {...v} content="0">}\ntemplate A(v: any) {<meta {...v}>}')
  assert.throws(() => meta.Page?.({ "http-equiv": "refresh" }), /cannot be spread/)
  assert.throws(() => meta.A?.({ content: "0;url=x", "HTTP-Equiv": "refresh" }), /cannot be spread/)
  assert.is(String(meta.A?.({ content: "x", name: "y" })), '<meta content="x" name="y">')
  for (const name of ["htmx-config", " HTMX-CONFIG"]) {
    assert.throws(() => meta.A?.({ content: "{}", Name: name }), /"htmx-config" cannot be spread/)
    assert.throws(() => meta.Page?.({ name }), /"htmx-config" cannot be spread/)
  }
  const svg = await load("template Page(v: any) {<svg><set {...v}/></svg>}")
  assert.throws(() => svg.Page?.({ attributeName: "href", to: "javascript:alert(1)" }), /cannot be spread/)
})

// Values that Go's html/template documents and tests for the same positions, if both languages have them.
const known: readonly (readonly [body: string, value: unknown, printed: string])[] = [
  ["{v}", "<Cincinatti>", "&lt;Cincinatti&gt;"],
  ["{v}", "O'Reilly: How are <i>you</i>?", "O&#39;Reilly: How are &lt;i&gt;you&lt;/i&gt;?"],
  ["<p title={v}></p>", 'O\'Reilly: "x"', '<p title="O&#39;Reilly: &quot;x&quot;"></p>'],
  ["{v}", "&amp;", "&amp;amp;"],
  ["{v}", 'a "b" `c` = d', "a &quot;b&quot; `c` = d"],
  ["{trust(v)}", "<b>kept</b>", "<b>kept</b>"],
  ["<a href={v}></a>", "javascript:alert(%22pwned%22)", '<a href="about:invalid#blocked"></a>'],
  ["<a href={v}></a>", "http://example.com/?q=a&r='b'", '<a href="http://example.com/?q=a&amp;r=&#39;b&#39;"></a>'],
  ["<script>alert({{v}})</script>", "<Hello>", '<script>alert("\\u003cHello\\u003e")</script>'],
  ["<script>alert({{v}})</script>", 42, "<script>alert(42)</script>"],
  ["<script>alert({{v}})</script>", null, "<script>alert(null)</script>"],
  ["<script>alert({{v}})</script>", undefined, "<script>alert(null)</script>"],
  ["<script>alert({{v}})</script>", [true, "</script>"], '<script>alert([true,"\\u003c\\/script\\u003e"])</script>'],
  ["<script>x = {{v}}</script>", JSON.parse('{"__proto__":{"a":1}}'), '<script>x = {["__proto__"]:{"a":1}}</script>'],
  [
    '<script type="application/json">{{v}}</script>',
    JSON.parse('{"a":1,"__proto__":1}'),
    '<script type="application/json">{"a":1,"__proto__":1}</script>',
  ],
  ["<script>a-{{v}}</script>", -1, "<script>a- -1</script>"],
  ["<script>x = a in{{v}}</script>", 1, "<script>x = a in 1</script>"],
  ["<p style={{ color: v }}></p>", "expression(alert(1))", '<p style="color:fw-blocked"></p>'],
  ["<textarea>{v}</textarea>", "</textarea>", "<textarea>&lt;/textarea&gt;</textarea>"],
  ["<title>{v}</title>", "<b>", "<title>&lt;b&gt;</title>"],
  ["<input checked={v}>", true, "<input checked>"],
  ["<input checked={v}>", false, "<input>"],
]

test("values in text, attributes, scripts and styles are printed escaped or blocked", async () => {
  for (const [body, value, printed] of known) assert.is(await renderBody(body, value), printed, body)
})

test.run()

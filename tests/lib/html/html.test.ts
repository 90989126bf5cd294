// Tests of safe HTML for route files: what the html literal escapes, filters and refuses, and how values are
// printed that the types would not allow.

import { test } from "uvu"
import * as assert from "uvu/assert"
import { $fwText, escapeHtml, Html, html, type Printable, raw } from "../../../lib/html.ts"
import { renderBody } from "../../fixtures/template/render.ts"
import { foreignUrls, goodUrls, markupVectors, urlVectors } from "../../support/template/xss-vectors.ts"

test("an Html object prints its value, is frozen, and cannot be imitated by a plain object", () => {
  const value = raw("<b>x</b>")
  assert.instance(value, Html)
  assert.is(value.value, "<b>x</b>")
  assert.is(String(value), "<b>x</b>")
  assert.is(`${value}`, "<b>x</b>")
  assert.is(JSON.stringify({ value }), '{"value":"<b>x</b>"}')
  assert.throws(() => Object.assign(value, { value: "y" }), TypeError)
  assert.throws(
    () => $fwText({ value: "<b>" } as unknown as Printable),
    /An object \(Object\) cannot be printed in text/,
  )
})

test("text is escaped in content and attributes", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["", ""],
    ["plain", "plain"],
    ["<", "&lt;"],
    ["a&b", "a&amp;b"],
    [`"'<>&`, "&quot;&#39;&lt;&gt;&amp;"],
    ["&amp;", "&amp;amp;"],
    ["\u2028\u00e9\u{1f600}", "\u2028\u00e9\u{1f600}"],
    [`${"long text without anything ".repeat(5)}`, "long text without anything ".repeat(5)],
    [`${"x".repeat(40)}<${"y".repeat(40)}>`, `${"x".repeat(40)}&lt;${"y".repeat(40)}&gt;`],
    [`${"x".repeat(20)}<`, `${"x".repeat(20)}&lt;`],
    [`${"x".repeat(19)}<`, `${"x".repeat(19)}&lt;`],
  ]
  for (const [given, escaped] of cases) assert.is(escapeHtml(given), escaped)
})

test("text of any length is escaped, with any number of special characters at any position", () => {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  }
  const oracle = (text: string) => Array.from(text, (one) => entities[one] ?? one).join("")
  // A random number generator with a seed (Park and Miller, 1988), so that a failure can be repeated.
  let seed = 1
  const below = (limit: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % limit
  }
  // Text that is only ASCII is escaped in another way, in pieces of 2,048 characters.
  const ascii = ["a", " ", "Z", "\x7f", "$", "\0", "`", "$&", "#", "\n"]
  const all = [...ascii, "\x80", "é", "\xff", "\u0100", "\u4e2d", "\u{1f600}", "\ufeff"]
  for (const length of [0, 1, 8, 12, 13, 20, 63, 64, 65, 66, 130, 1000, 2047, 2048, 2049, 5000]) {
    for (const share of [0, 1, 2, 10, 100]) {
      for (let round = 0; round < 20; round++) {
        const others = round % 2 ? ascii : all
        const text = Array.from({ length }, () =>
          share > 0 && below(share) === 0 ? (`&<>"'`[below(5)] as string) : (others[below(others.length)] as string),
        ).join("")
        assert.ok(escapeHtml(text) === oracle(text), JSON.stringify(text))
      }
    }
    for (const at of [0, length >> 1, length - 1])
      for (const one of Object.keys(entities)) {
        const text = "x".repeat(Math.max(0, at)) + one + "x".repeat(length)
        assert.ok(escapeHtml(text) === oracle(text), JSON.stringify(text))
      }
    for (const one of Object.keys(entities)) assert.is(escapeHtml(one.repeat(length)), oracle(one.repeat(length)))
  }
})

test("an html literal prints values as templates do", () => {
  const items = ["a", "<b>"].map((item) => html`<li>${item}</li>`)
  assert.is(
    String(html`<ul class="${'x"y'}">${items}${null}${false}${undefined}${1}${2n}${raw("<hr>")}</ul>`),
    '<ul class="x&quot;y"><li>a</li><li>&lt;b&gt;</li>12<hr></ul>',
  )
  assert.is(String(html``), "")
  assert.is(String(html`${"<"}`), "&lt;")
  assert.is(String(html`a < b ${"c"} <3 ${"d"}`), "a < b c <3 d")
  assert.is(
    String(html`<!doctype html><!-- c --><p title='${"'"}' id=x data-a="1 ${2} 3">`),
    `<!doctype html><!-- c --><p title='&#39;' id=x data-a="1 2 3">`,
  )
  assert.is(
    String(html`<title>${"</title>"}</title><textarea>${"<"}${"b>"}</textarea>${"x"}`),
    "<title>&lt;/title&gt;</title><textarea>&lt;b&gt;</textarea>x",
  )
  assert.is(
    String(html`<script>a()</script><style>b{}</style><br/>${"<"}`),
    "<script>a()</script><style>b{}</style><br/>&lt;",
  )
  assert.is(
    String(html`<img src="${"data:image/png;base64,AA"}" alt="">`),
    '<img src="data:image/png;base64,AA" alt="">',
  )
})

test("an html literal blocks dangerous URLs", () => {
  const href = (url: string): string => String(html`<a href="${url}">x</a>`)
  for (const url of urlVectors) assert.is(href(url), '<a href="about:invalid#blocked">x</a>', url)
  for (const url of goodUrls) assert.is(href(url), `<a href="${escapeHtml(url)}">x</a>`, url)
  assert.is(
    String(html`<a href="/tasks/${1}?q=${"a&b"}#${"javascript:"}">x</a>`),
    '<a href="/tasks/1?q=a&amp;b#javascript:">x</a>',
  )
  assert.is(String(html`<a href="${"javascript:x"}/y">x</a>`), '<a href="about:invalid#blocked/y">x</a>')
  assert.is(String(html`<a href="mailto:${"a@b"}">x</a>`), '<a href="mailto:a@b">x</a>')
})

test("an html literal prints attacks as text", () => {
  for (const vector of markupVectors) {
    const page = String(html`<p title="${vector}" data-x='${vector}'>${vector}</p>`)
    assert.is(page.replace(/^<p title="[^"<>]*" data-x='[^'<>]*'>[^<>]*<\/p>$/, ""), "", page)
  }
})

test("an html literal loads code only from the page's own origin, and passes none to htmx", () => {
  for (const url of foreignUrls) {
    assert.is(String(html`<script src="${url}"></script>`), '<script src="about:invalid#blocked"></script>', url)
    assert.is(String(html`<base href="${url}">`), '<base href="about:invalid#blocked">', url)
  }
  assert.is(
    String(html`<script src="${"/a.js"}?v=${"//1"}"></script><script src="https://cdn.example/${"a"}/x.js"></script>`),
    '<script src="/a.js?v=//1"></script><script src="https://cdn.example/a/x.js"></script>',
  )
  assert.is(String(html`<p hx-confirm="${"js:alert(1)"}">x</p>`), '<p hx-confirm="fw-blocked">x</p>')
  assert.is(String(html`<p hx-confirm="${"a"}, ${"js:b"}?">x</p>`), '<p hx-confirm="a, js:b?">x</p>')
  assert.is(
    String(html`<p hx-confirm="&quot;${"a"}&quot; or &#39;${"b"}&#39;?" hx-target="join-${1}">x</p>`),
    '<p hx-confirm="&quot;a&quot; or &#39;b&#39;?" hx-target="join-1">x</p>',
  )
})

type Literal = (v: string) => Html
const refused: readonly (readonly [RegExp, Literal])[] = [
  [/inside a tag, outside of quotes/, (v) => html`<p ${v}>`],
  [/outside of quotes/, (v) => html`<p${v}>`],
  [/outside of quotes/, (v) => html`<p a=${v}>`],
  [/outside of quotes/, (v) => html`<p a= ${v}>`],
  [/outside of quotes/, (v) => html`<p a=x${v}>`],
  [/outside of quotes/, (v) => html`<p a="x" ${v}>`],
  [/outside of quotes/, (v) => html`<p a${v}="x">`],
  [/outside of quotes/, (v) => html`<p a="x"${v}>`],
  [/outside of quotes/, (v) => html`</p ${v}>`],
  [/a tag/, (v) => html`<${v}>`],
  [/a tag/, (v) => html`</${v}>`],
  [/a tag/, (v) => html`<!${v}>`],
  [/a comment/, (v) => html`<!-- ${v} -->`],
  [/outside of quotes/, (v) => html`<!-- --!><p ${v} -->`],
  [/<script>/, (v) => html`<script><!--<script></script>${v}`],
  [/a declaration/, (v) => html`<!doctype ${v}>`],
  [/a declaration/, (v) => html`<?x ${v}>`],
  [/<script>/, (v) => html`<script>${v}</script>`],
  [/<script>/, (v) => html`<SCRIPT type="x">a = "${v}"</SCRIPT>`],
  [/<style>/, (v) => html`<style>${v}</style>`],
  [/<iframe>/, (v) => html`<iframe>${v}</iframe>`],
  [/<noscript>/, (v) => html`<noscript>${v}</noscript>`],
  [/<xmp>/, (v) => html`<xmp>${v}</xmp>`],
  [/<plaintext>/, (v) => html`<plaintext>${v}`],
  [/<title>/, (v) => html`<title>${v}`],
  [/<title>/, (v) => html`<title></${v}</title>`],
  [/the attribute onclick/, (v) => html`<p onclick="${v}">`],
  [/the attribute onclick/, (v) => html`<p OnClick = 'x(${v})'>`],
  [/the attribute style/, (v) => html`<p style="color:${v}">`],
  [/the attribute content/, (v) => html`<meta name="x" content="${v}" http-equiv="refresh">`],
  [/the attribute content/, (v) => html`<meta name="x" http-equiv="refresh" content="${v}">`],
  [/the start of a URL/, (v) => html`<script src="/${v}"></script>`],
  [/the start of a URL/, (v) => html`<script src="//${v}/x.js"></script>`],
  [/the start of a URL/, (v) => html`<script src="https://cdn.example${v}"></script>`],
  [/the start of a URL/, (v) => html`<script src="${v}/${v}"></script>`],
  [/the start of a URL/, (v) => html`<p hx-confirm="${v}${v}">`],
  [/the start of a URL/, (v) => html`<p hx-confirm=" ${v}:${v}">`],
  [/the attribute srcset/, (v) => html`<img srcset="${v}">`],
  [/the attribute srcdoc/, (v) => html`<iframe srcdoc="${v}">`],
  [/the attribute x-data/, (v) => html`<p x-data="${v}">`],
  [/the attribute @click/, (v) => html`<p @click="${v}">`],
  [/the attribute hx-vals/, (v) => html`<p hx-vals="${v}">`],
  [/the attribute hx-on:click/, (v) => html`<p hx-on:click="${v}">`],
  [/the attribute content/, (v) => html`<meta http-equiv="refresh" content="${v}">`],
  [/the attribute content/, (v) => html`<meta content="${v}" http-equiv="refresh">`],
  [/the attribute content/, (v) => html`<meta name="htmx-config" content="${v}">`],
  [/the attribute content/, (v) => html`<meta name='HTMX-Config' content='{"prefix":"${v}"}'>`],
  [/the attribute content/, (v) => html`<meta property="x" content="${v}" name=htmx-config>`],
  [/the attribute content/, (v) => html`<meta name="${v}" content="${v}">`],
  [/the start of a URL/, (v) => html`<a href="java${v}">`],
  [/the start of a URL/, (v) => html`<a href="javascript:go('/${v}')">`],
  [/the start of a URL/, (v) => html`<a href="java&#115;cript:go(${v})">`],
  [/the start of a URL/, (v) => html`<a href="&NewLine;javascript&colon;'/${v}'">`],
  [/the start of a URL/, (v) => html`<iframe src="data:text/html,/${v}"></iframe>`],
  [/the start of a URL/, (v) => html`<form action="blob:x?${v}">`],
  [/the start of a URL/, (v) => html`<p hx-get="js:go('#${v}')">`],
  [/htmx may evaluate/, (v) => html`<p hx-confirm="j${v}">`],
  [/htmx may evaluate/, (v) => html`<p hx-confirm=" Javascrip${v}">`],
  [/htmx may evaluate/, (v) => html`<p hx-include="js:find('${v}')">`],
  [/htmx may evaluate/, (v) => html`<p data-hx-target="js${v}">`],
  [/htmx may evaluate/, (v) => html`<p hx-target="j&#115;:go('${v}')">`],
  [/htmx may evaluate/, (v) => html`<p hx-target="&#106;s:go('${v}')">`],
  [/htmx may evaluate/, (v) => html`<p hx-swap="js &colon;${v}">`],
  [/htmx may evaluate/, (v) => html`<p hx-swap=" JavaScript : ${v}">`],
  [/the start of a URL/, (v) => html`<p hx-confirm="${v}&colon;${v}">`],
  [/the start of a URL/, (v) => html`<a href="${v}:x">`],
  [/the start of a URL/, (v) => html`<a href="${v}${v}">`],
  [/the start of a URL/, (v) => html`<a href=" ${v}">`],
  [/ends inside/, () => html`<p`],
  [/ends inside/, () => html`<p a="x`],
  [/ends inside/, () => html`<script>`],
  [/ends inside/, () => html`<!-- x`],
  [/ends inside/, () => html`x <`],
  [/Markup cannot be printed in an attribute/, () => html`<p title="${raw("x")}">`],
  [/Markup cannot be printed/, () => html`<title>${raw("x")}</title>`],
]

test("an html literal throws if escaping cannot make a value safe", () => {
  for (const [says, make] of refused) assert.throws(() => make("x"), says, String(make))
})

test("an html literal with a value at a forbidden position throws each time it is used", () => {
  const make = (v: string): Html => html`<p ${v}>`
  assert.throws(() => make("a"))
  assert.throws(() => make("b"))
  const good = (v: string): string => String(html`<p title="${v}">${v}</p>`)
  assert.is(good("a"), '<p title="a">a</p>')
  assert.is(good("<"), '<p title="&lt;">&lt;</p>')
})

const unprintable: readonly (readonly [body: string, value: unknown, says: RegExp])[] = [
  ["{v}", Promise.resolve(1), /A promise cannot be printed in text: write \{await …\}/],
  ["{v}", {}, /An object \(Object\) cannot be printed in text/],
  ["{v}", new Date(0), /An object \(Date\) cannot be printed/],
  ["{v}", Object.create(null), /An object \(object\) cannot be printed/],
  ["{v}", true, /"true" cannot be printed in text/],
  ["{v}", () => 1, /cannot be printed in text/],
  ["{v}", Symbol("s"), /"Symbol\(s\)" cannot be printed/],
  ["{[1, v]}", {}, /An object/],
  ["<p title={v}></p>", Promise.resolve(1), /A promise cannot be printed in the attribute title/],
  ["<p title={v}></p>", raw("x"), /Markup cannot be printed in the attribute title/],
  ["<p title={v}></p>", ["x"], /An object \(Array\) cannot be printed in the attribute title/],
  ["<a href={v}></a>", raw("x"), /Markup cannot be printed in the attribute href/],
  ["<img src={v}>", {}, /cannot be printed in the attribute src/],
  ["<img srcset={v}>", {}, /cannot be printed in the attribute srcset/],
  ["<p class={v}></p>", { a: true }, /cannot be printed in the attribute class/],
  ["<p class={v}></p>", true, /cannot be printed in the attribute class/],
  ["<p class={['a', v]}></p>", 1, /cannot be printed in the attribute class/],
  ["<p style={v}></p>", "color:red", /attribute style, which takes an object/],
  ["<p style={v}></p>", { color: {} }, /The style "color" takes a string or a number/],
  ["<p style={v}></p>", { color: true }, /The style "color" takes/],
  ["<p hx-vals={v}></p>", "js:alert(1)", /attribute hx-vals, which takes an object/],
  ["<p hx-vals={v}></p>", ["x"], /which takes an object/],
  ["<p hx-vals={v}></p>", { toJSON: () => "js:alert(1)" }, /which takes an object/],
  ["<p hx-vals={v}></p>", { toJSON: () => undefined }, /which takes an object/],
  ["<p hx-vals={v}></p>", Promise.resolve({}), /A promise/],
  ["<title>{v}</title>", raw("x"), /Markup cannot be printed in a title or text area/],
  ["<textarea>{v}</textarea>", Promise.resolve(1), /A promise/],
  ["<script>a = {{v}}</script>", Promise.resolve(1), /A promise cannot be printed in a script/],
  ["<script>a = {{v}}</script>", () => 1, /cannot be printed in a script/],
  ["<script>a = {{v}}</script>", Symbol("s"), /cannot be printed in a script/],
  ["<script>a = {{v}}</script>", 1n, /BigInt/],
]

test("a value that cannot be printed throws an error that says why", async () => {
  for (const [body, value, says] of unprintable) {
    let thrown: unknown
    await renderBody(body, value).catch((error: unknown) => {
      thrown = error
    })
    assert.instance(thrown, TypeError, body)
    assert.match(String(thrown), says, body)
  }
})

test("a first newline that a browser would drop is kept", () => {
  const cases: readonly (readonly [Html, string])[] = [
    [html`<pre>${"\na"}</pre>`, "<pre>\n\na</pre>"],
    [html`<pre class="x">${"\r\na"}</pre>`, '<pre class="x">\n\r\na</pre>'],
    [html`<textarea>${"\na"}</textarea>`, "<textarea>\n\na</textarea>"],
    [html`<TEXTAREA>${"\na"}</TEXTAREA>`, "<TEXTAREA>\n\na</TEXTAREA>"],
    [html`<listing>${"\na"}</listing>`, "<listing>\n\na</listing>"],
    [html`<pre>${""}${null}${"\na"}${"\nb"}</pre>`, "<pre>\n\na\nb</pre>"],
    [html`<pre>${html`<b>x</b>`}${"\na"}</pre>`, "<pre><b>x</b>\na</pre>"],
    [html`<pre>a${"\na"}</pre>`, "<pre>a\na</pre>"],
    [html`<pre><b>${"\na"}</b>${"\nb"}</pre>`, "<pre><b>\na</b>\nb</pre>"],
    [html`<pre></pre>${"\na"}`, "<pre></pre>\na"],
    [html`<pre>${"a"}</pre><pre>${"\nb"}</pre>`, "<pre>a</pre><pre>\n\nb</pre>"],
    [html`<title>${"\na"}</title><p>${"\na"}</p>`, "<title>\na</title><p>\na</p>"],
  ]
  for (const [given, expected] of cases) assert.is(String(given), expected)
})

test.run()

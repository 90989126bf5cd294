/** Tests of the values that attributes accept, block and refuse: by element, by name and by value. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { getAttributeKind, listHTMXNames } from "../../lib/html/attributes.ts"
import { allowLinkSchemes, html } from "../../lib/html.ts"
import { compile } from "../../template/index.ts"
import { load, renderBody } from "../fixtures/template/render.ts"
import { nameVectors } from "../support/template/xss-styles.ts"
import { root } from "../support/tsc.ts"

const blockedURL = "about:invalid#blocked"
const escaped = (text: string): string =>
  text.replace(
    /[&"'<>]/g,
    (mark) => ({ "&": "&amp;", '"': "&quot;", "'": "&#39;", "<": "&lt;", ">": "&gt;" })[mark] ?? "",
  )

/** Returns the value of the last quoted attribute that is printed. */
async function printed(body: string, value: unknown): Promise<string | undefined> {
  return [...(await renderBody(body, value)).matchAll(/="([^"]*)"/g)].at(-1)?.[1]
}

const data = 'data:text/html,<img src=x onerror="alert(1)">'

test("fw knows every attribute that the htmx of new projects reads", () => {
  const source = readFileSync(join(root, "scaffold/full-stack/static/vendor/htmx-4.0.1.min.js"), "utf8")
  const names = new Set(source.match(/\bhx-[a-z][a-z-]*/g))
  assert.ok(names.size > 25, `only ${names.size} names of attributes were found in the file of htmx`)
  for (const name of names) {
    assert.ok(listHTMXNames().includes(name), `htmx reads ${name}, and lib/html/attributes.ts does not have it`)
  }
})

test("attributes that htmx fetches from are checked as URLs, in every spelling", async () => {
  for (const name of "action query get post put patch delete push-url replace-url".split(" ")) {
    for (const spelling of [`hx-${name}`, `data-hx-${name}`, `hx-${name}:inherited`, `HX-${name}`]) {
      for (const body of [`<p ${spelling}={v}></p>`, `<p {...{ "${spelling}": v }}></p>`]) {
        assert.is(await printed(body, data), blockedURL, body)
        assert.is(await printed(body, "/a?b=c:d"), "/a?b=c:d", body)
      }
    }
  }
})

test("hx-config is printed from an object, without its URLs", async () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [{ action: data, timeout: 5 }, '{"timeout":5}'],
    [{ request: { action: data }, list: [{ action: data }] }, '{"request":{},"list":[{}]}'],
    [{ timeout: `x" action:'${data}'` }, JSON.stringify({ timeout: `x" action:'${data}'` }).replace(/\\"/g, "\\u0022")],
    [{ a: "b\\" }, '{"a":"b\\\\"}'],
  ]
  for (const [value, text] of cases) {
    for (const body of [
      "<p hx-config={v}></p>",
      "<p data-hx-config:append={v}></p>",
      '<p {...{ "hx-config": v }}></p>',
    ])
      assert.is(await printed(body, value), escaped(text), body)
  }
  for (const value of ["action:x", "{}", [], 1, Promise.resolve({})]) {
    await renderBody("<p hx-config={v}></p>", value).then(
      () => assert.unreachable(String(value)),
      (error: unknown) => assert.match(String(error), "takes an object"),
    )
  }
})

test("attributes that htmx merges into a request accept only true, false or a literal of the template", async () => {
  for (const [value, text] of [
    [true, "true"],
    [false, "false"],
    ["true", "true"],
    ["false", "false"],
  ] as const)
    assert.is(await printed("<p hx-boost={v}></p>", value), text)
  for (const value of ['{"request":{"action":"/x"}}', "request:x", "TRUE", ""])
    assert.is(await printed("<p hx-boost={v}></p>", value), "fw-blocked")
  const { diagnostics } = compile("template Page(v: string) {<p hx-status:404={v}></p>}", "page.tpl")
  assert.match(diagnostics[0]?.message ?? "", '"hx-status:404" is evaluated as code')
})

/** An attribute, and values that it must print unchanged. */
const harmless: readonly (readonly [body: string, ...values: unknown[]])[] = [
  ...["only", "once", "one", "online", "x-coord", "v-align", "onboarding", "action", "x-ray", "v-1a2b"].map(
    (name) => [`<p data-${name}={v}></p>`, "a:b", "turbo:submit-end->form#reset"] as const,
  ),
  ["<p once={v} only={v}></p>", "a"],
  ["<my-chart data={v}></my-chart>", '{"a":1}', "a:b"],
  ["<my-chart action={v}></my-chart>", "a:b"],
  ["<p profile={v}></p>", "a:b"],
  ["<p manifest={v}></p>", "a:b"],
  ["<p background={v}></p>", "a:b"],
  ["<p poster={v}></p>", "a:b"],
  ["<img src={v}>", "data:image/svg+xml,<svg/>", "data:image/bmp;base64,AA==", "data:image/x-icon;base64,AA=="],
  ["<link rel=icon href={v}>", "data:image/png;base64,AA=="],
  ['<link rel="apple-touch-icon" href={v}>', "data:image/png;base64,AA=="],
  ['<link rel="shortcut icon" href={v}>', "data:image/svg+xml,<svg/>"],
  ["<video poster={v}></video>", "data:image/png;base64,AA=="],
  ["<svg><image href={v}/></svg>", "data:image/png;base64,AA=="],
  ["<svg><image xlink:href={v}/></svg>", "data:image/png;base64,AA=="],
  ["<audio><source src={v}></audio>", "data:audio/ogg;base64,AA=="],
  ["<video src={v}></video>", "data:video/webm;base64,AA=="],
  ["<q cite={v}></q>", "urn:isbn:9780141439518", "doi:10.1000/182", "https://a.example/"],
  ["<blockquote cite={v}></blockquote>", "urn:isbn:9780141439518"],
  ["<p hx-confirm={v}></p>", "JavaScript: The Good Parts", "Delete js: sure?"],
  ["<p style={{ gridTemplateColumns: v }}></p>", "[full-start] 1fr [full-end]"],
  ["<p style={{ '--x': v }}></p>", '"\\2014"', "url(#clip)", "url(/a.png)", 'url("/a.png")', "a:b", "'\u2014'"],
  ["<p style={{ clipPath: v }}></p>", "url(#clip)", "url('#clip')", 'url( "#clip" ) content-box'],
  ["<p style={{ content: v }}></p>", '"\\2014"', '"; } <b"'.replace("<", "")],
  ["<a href={v}></a>", new URL("https://a.example/b?c=d")],
  ["<img src={v}>", new URL("https://a.example/b.png")],
  ["<p hx-get={v}></p>", new URL("https://a.example/b")],
]

test("harmless values of attributes are printed unchanged", async () => {
  for (const [body, ...values] of harmless) {
    for (const value of values) {
      const text = escaped(value instanceof URL ? value.href : String(value))
      const found = await printed(body, value)
      assert.ok(found === text || found?.endsWith(`:${text}`), `${body} with ${value}: ${found}`)
    }
  }
})

/** An attribute, and values that must be blocked in it. */
const harmful: readonly (readonly [body: string, ...values: unknown[]])[] = [
  [
    "<a href={v}></a>",
    new URL("javascript:alert(1)"),
    "data:image/png;base64,AA==",
    "urn:isbn:1",
    "webcal://a.example",
  ],
  ["<object data={v}></object>", "data:image/svg+xml,<svg onload=alert(1)>"],
  ["<embed src={v}>", "data:image/svg+xml,<svg onload=alert(1)>"],
  ["<iframe src={v}></iframe>", "data:image/svg+xml,x", "data:audio/ogg,x"],
  ["<svg><use href={v}/></svg>", "data:image/svg+xml,<svg id=x/>#x"],
  ["<svg><feImage href={v}/></svg>", "data:image/svg+xml,<svg/>"],
  ["<link rel=stylesheet href={v}>", "data:image/png,*{color:red}"],
  ['<link rel="icon stylesheet" href={v}>', "data:image/png,*{color:red}"],
  ["<link {...{ rel: 'icon', href: v }} rel=stylesheet>", "data:image/png,*{color:red}"],
  ["<video src={v}></video>", "data:text/html,x", "data:image/svg+xml,x"],
  ["<track src={v}>", "data:audio/ogg,x"],
  ["<img src={v}>", "data:text/html,x", "data:audio/ogg,x", "data:image,x"],
  ["<q cite={v}></q>", "javascript:alert(1)", "data:text/html,x"],
  ["<form action={v}></form>", "javascript:alert(1)", new URL("data:text/html,x")],
  ["<td background={v}></td>", "javascript:alert(1)"],
  ["<my-link href={v}></my-link>", "javascript:alert(1)"],
  ["<p hx-confirm={v}></p>", "js:alert(1)", "javascript:alert(1)", " javascript:alert(1)"],
  [
    "<p style={{ background: v }}></p>",
    "url(//evil.example/x)",
    "url(https://evil.example/x)",
    'url("\\2f/evil.example")',
    "url(java\\script:alert(1))",
    "url(a:b)",
    "image-set(url(/a.png) 1x)",
    "xurl(/a.png)",
    "url(/a.png",
    'url("/a.png)',
    `"url('" url(//evil.example/x) ' ) "`,
    `'url("' url(//evil.example/x) " ) '`,
    "[a",
    "a]",
    "(a]",
    "[a)",
    "a:b",
    '"a\\"b"',
    '"a\\',
  ],
  ["<p style={{ '--x': v }}></p>", "a;b:c", "a}b", "url(//evil.example)", "javascript:alert(1)"],
]

test("harmful values of attributes are blocked", async () => {
  for (const [body, ...values] of harmful) {
    for (const value of values) assert.match((await printed(body, value)) ?? "", /blocked$/, `${body} with ${value}`)
  }
})

test("a project can allow more URL schemes in links, but not in other attributes", async () => {
  const { Page } = await load(
    "template Page(v: any) {<a href={v}></a><svg><a xlink:href={v}></a></svg><area {...{ href: v }}><form action={v}></form><p data-href={v}></p>}",
  )
  const values = (v: string): string[] => [...String(Page?.(v)).matchAll(/="([^"]*)"/g)].map((found) => found[1] ?? "")
  assert.equal(new Set(values("webcal://a.example")), new Set([blockedURL]))
  allowLinkSchemes("webcal", "web+x.y")
  for (const v of ["webcal://a.example", "WEBCAL:x", "web+x.y:1"])
    assert.equal(values(v), [v, v, v, blockedURL, blockedURL])
  for (const v of ["webcal", "webXx.y:1", "javascript:alert(1)", "\twebc\tal:x"]) {
    const printed = v.includes(":") ? blockedURL : v
    assert.is(values(v)[0], printed, v)
  }
  assert.is(String(html`<a href="${"webcal:x"}"></a>`), '<a href="webcal:x"></a>')
  for (const name of ["javascript", "data", "vbscript", "blob", "file", "filesystem", "Webcal", "a:", "", "a b", "("]) {
    assert.throws(
      () => allowLinkSchemes("xmpp", name),
      (error: unknown) => error instanceof TypeError,
      name,
    )
    assert.is(values("xmpp:x")[0], blockedURL, `xmpp was allowed although "${name}" was refused`)
  }
})

test("html literals check attributes by the same rules as templates", () => {
  const image = "data:image/png;base64,AA=="
  assert.is(String(html`<link rel="icon" href="${image}">`), `<link rel="icon" href="${image}">`)
  assert.is(String(html`<link rel="x" href="${image}">`), `<link rel="x" href="${blockedURL}">`)
  assert.is(String(html`<q cite="${"urn:x:y"}"></q>`), '<q cite="urn:x:y"></q>')
  assert.is(String(html`<p hx-query="${data}"></p>`), `<p hx-query="${blockedURL}"></p>`)
  assert.is(String(html`<a href="${new URL("https://a.example/")}"></a>`), '<a href="https://a.example/"></a>')
  const refused: readonly ((v: string) => unknown)[] = [
    (v) => html`<p hx-config="${v}"></p>`,
    (v) => html`<p hx-boost="${v}"></p>`,
    (v) => html`<p hx-status:404="${v}"></p>`,
  ]
  for (const literal of refused) assert.throws(() => literal("x"), /takes no value/)
})

test("the attribute of every event of HTML counts as code, with and without data-", () => {
  const types = readFileSync(join(root, "node_modules/@typescript/typescript-linux-x64/lib/lib.dom.d.ts"), "utf8")
  const names = [
    ...types.matchAll(/^interface (?:GlobalEventHandlers|WindowEventHandlers|HTML\w*Element) [^{]*\{([\s\S]*?)^\}/gm),
  ].flatMap(([, members = ""]) => [...members.matchAll(/^ +(on[a-z]+):/gm)].map(([, name = ""]) => name))
  assert.ok(names.length > 90)
  for (const name of names) {
    assert.is(getAttributeKind("p", name), "code", name)
    assert.is(getAttributeKind("p", `data-${name}`), "code", `data-${name}`)
  }
  for (const name of [
    "onanewevent",
    "data-on-click",
    "data-on:click",
    "data-x-on:click",
    "data-v-html",
    "up-on-loaded",
  ])
    assert.is(getAttributeKind("p", name), "code", name)
})

const outcomes: readonly (readonly [expression: string, values: readonly (readonly [unknown, string])[]])[] = [
  [
    'v && "revealed"',
    [
      [true, ' hx-trigger="revealed"'],
      [false, ""],
      [null, ""],
    ],
  ],
  [
    'v ? "load" : "click"',
    [
      [1, ' hx-trigger="load"'],
      [0, ' hx-trigger="click"'],
    ],
  ],
  [
    '(v > 1 && v <= 3) ? "a" : v === 4 ? (`b`) : undefined',
    [
      [2, ' hx-trigger="a"'],
      [4, ' hx-trigger="b"'],
      [5, ""],
    ],
  ],
  [
    'v && "a" || "b"',
    [
      [1, ' hx-trigger="a"'],
      [0, ' hx-trigger="b"'],
    ],
  ],
  ["'load'", [[1, ' hx-trigger="load"']]],
]

test("a code attribute accepts an expression whose possible results are all literals in the template", async () => {
  for (const [expression, values] of outcomes) {
    for (const [value, attribute] of values)
      assert.is(await renderBody(`<p hx-trigger={${expression}}></p>`, value), `<p${attribute}></p>`, expression)
  }
  for (const name of ["onclick", "x-data", "@click", "hx-on:click", "srcdoc", "data-onclick", "hx-status:404", ":href"])
    assert.match(await renderBody(`<iframe ${name}={v ? "a()" : "b()"}></iframe>`, 1), `${name}="a()"`)
  assert.match(await renderBody('<meta http-equiv=refresh content={v && "5"}>', 1), 'content="5"')
  for (const meta of [
    '<meta name="htmx-config" content={v ? "5" : "6"}>',
    '<meta name={v && "theme-color"} content={v ? 5 : v}>',
    '<meta name={v} content="5">',
    '<meta name={v} content="5" {...{ lang: v }}>',
    "<meta property={v} content={v ? 5 : v}>",
  ])
    assert.match(await renderBody(meta, 1), 'content="5"', meta)
  for (const expression of [
    "v",
    'v || "a"',
    'v ?? "a"',
    "v ? v : 'a'",
    'v ? "a" : v',
    '"a" + v',
    ["`a$", "{v}`"].join(""),
    '(v, "a").x',
    'v = v && "a"',
    'v && "a".concat(v)',
    'v && ("a" || v)',
    '["a", v]',
    'v && "a" as string',
  ]) {
    const { diagnostics } = compile(`template Page(v: any) {<p hx-trigger={${expression}}></p>}`, "page.tpl")
    assert.match(diagnostics[0]?.message ?? "", "evaluated as code", expression)
  }
})

test("the keys of a literal in a spread are checked when the template is compiled", () => {
  const keys = nameVectors.map((name) => JSON.stringify(name)).filter((key) => !key.includes("\\"))
  const refused = keys.map((key) => `{ id: 1, ${key}: v }`)
  const spreads = [
    ...refused,
    "{ onclick: v }",
    "{ onclick }",
    "v && { onclick: v }",
    "v ? { id: 1 } : { onclick: v }",
    "({ srcdoc: v })",
  ]
  for (const spread of spreads) {
    const { diagnostics } = compile(`template Page(v: any) {<p {...${spread}}></p>}`, "page.tpl")
    assert.match(diagnostics[0]?.message ?? "", /cannot be spread|not a valid name/, spread)
  }
  for (const spread of ["{ id: v }", "{ [v]: v }", "{ a: { onclick: v } }", "f({ onclick: v })", "{ ...v }", "v"])
    assert.equal(compile(`template Page(v: any) {<p {...${spread}}></p>}`, "page.tpl").diagnostics, [], spread)
})

test("JSX names of attributes are errors that give the HTML name", () => {
  const cases: readonly (readonly [body: string, fix: RegExp])[] = [
    ['<p className="x"></p>', /Write class,/],
    ["<p className={v}></p>", /Write class,/],
    ["<p {...{ className: v }}></p>", /Write class,/],
    ["<label htmlFor={v}></label>", /Write for,/],
    ["<form acceptCharset={v}></form>", /Write accept-charset,/],
    ["<svg><path strokeWidth={v}/></svg>", /Write stroke-width,/],
    ["<svg><use xlinkHref={v}/></svg>", /Write xlink:href,/],
    ["<p ariaLabel={v}></p>", /Write aria-label,/],
    ["<input defaultValue={v}>", /Write value,/],
    ["<p dangerouslySetInnerHTML={v}></p>", /raw\(html\)/],
  ]
  for (const [body, fix] of cases) {
    const { diagnostics } = compile(`template Page(v: any) {${body}}`, "page.tpl")
    assert.match(diagnostics[0]?.fix ?? "", fix, body)
  }
  for (const body of ["<svg viewBox={v}></svg>", "<input tabIndex={v} readOnly={v}>", "<p classname={v}></p>"])
    assert.equal(compile(`template Page(v: any) {${body}}`, "page.tpl").diagnostics, [], body)
})

test("an object is printed as JSON in every type of JSON script, without losing anything", async () => {
  for (const type of ["application/json", "application/ld+json", "speculationrules", "application/manifest+json"])
    assert.is(
      await renderBody(`<script type="${type}">{{v}}</script>`, { a: [1] }),
      `<script type="${type}">{"a":[1]}</script>`,
    )
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [Number.NaN, /NaN cannot be printed in a script.*null or a string/],
    [{ a: [Number.POSITIVE_INFINITY] }, /Infinity at a\[0\] cannot be printed/],
    [-Infinity, /-Infinity cannot be printed/],
    [new Map([[1, 2]]), /A Map cannot be printed in a script.*Object.fromEntries/],
    [{ a: new Set([1]) }, /A Set at a cannot be printed in a script.*\[\.\.\.set\]/],
    [{ a: [null, Promise.resolve(1)] }, /A promise at a\[1\] cannot be printed in a script.*its awaited value/],
  ]
  for (const [value, message] of cases) {
    await renderBody("<script>x = {{v}}</script>", value).then(
      () => assert.unreachable(String(value)),
      (error: unknown) => assert.match(String(error), message),
    )
  }
  assert.is(
    await renderBody("<script>x = {{v}}</script>", { a: null, b: {} }),
    '<script>x = {"a":null,"b":{}}</script>',
  )
  assert.is(await renderBody("<script>x = {{v}}</script>", new Date(Number.NaN)), "<script>x = null</script>")
})

test.run()

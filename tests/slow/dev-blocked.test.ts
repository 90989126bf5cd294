/**
 * Tests that `fw dev` reports where the filter of a template blocks a value, once for each position. Slow: it
 * starts a program.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { ask, type Dev, makeProject, startDev } from "../support/bin/dev/dev-project.ts"

const test = suite("fw dev: blocked values")
let dev: Dev
let port: number

test.before(async () => {
  const root = makeProject({
    "app/page.tpl": `import { Link } from "../lib/link.tpl.ts"

const urls = ["javascript:alert(1)", "javascript:alert(2)", "/fine"]

template Page() {
  <ul>
    {for (const url of urls) {
      <li>{Link(url)}</li>
    }}
  </ul>
  <p style={{ color: "url(https://evil.example/" + "x".repeat(100) + ")" }}></p>
}
`,
    "lib/link.tpl": "template Link(url: string) {\n  <a\n    href={url}>x</a>\n}\n",
    "app/literal/route.ts": `import { html } from "fw/html"
import type { Context } from "fw"

export function Get(c: Context): Response {
  return c.html(200, html\`<a href="\${c.query("u")}">x</a>\`)
}
`,
  })
  dev = startDev(root)
  port = await dev.port()
})

test.after(async () => {
  assert.is(await dev.stop(), 0)
})

test("each position is reported once, with its line, its attribute and the beginning of the value", async () => {
  assert.match((await ask(port, "/")).body, "about:invalid#blocked")
  await dev.says(/the value of style color is blocked/)
  await ask(port, "/")
  await ask(port, "/literal?u=data:text/html,x")
  await dev.says(/data:text/)
  const { output } = dev
  assert.is(output.split("the value of href is blocked").length, 3, output)
  assert.match(output, /warning: the value of href is blocked: "javascript:alert\(1\)"\n\s+lib\/link\.tpl:3:/)
  assert.match(output, /blocked: "url\(https:\/\/evil\.example\/x{15}…"\n\s+app\/page\.tpl:11:/)
  assert.match(output, /blocked: "data:text\/html,x"\n\s+app\/literal\/route\.ts:5:/)
  assert.match(output, /> 3 \|\s+href=\{url\}>x<\/a>/)
  assert.match(output, "docs/reference/templates.md")
})

test.run()

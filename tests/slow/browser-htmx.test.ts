/** Tests of pages and forms with htmx 1, 2 and 4 in Chromium, with the settings in docs/reference/forms.md. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import type { Page } from "playwright-core"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import type { App } from "../../lib/index.ts"
import type { Server } from "../../lib/platform.ts"
import { fw, project } from "../support/bin/cli/command.ts"
import { startBrowser, type TestBrowser, waitForCondition } from "../support/browser.ts"
import { installHtmx } from "../support/htmx.ts"
import { importAs, packageDirectory } from "../support/packages.ts"

const documents = readFileSync(new URL("../../docs/reference/forms.md", import.meta.url), "utf8")

/** Returns the first code block of the documents that contains a text. */
function documented(text: string): string {
  const blocks = [...documents.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, block]) => block as string)
  const found = blocks.find((block) => block.includes(text))
  if (found === undefined) throw new Error(`the documents have no block with ${text}`)
  return found
}

/** Returns the first inline code of the documents that contains a text. */
function inline(text: string): string {
  return (
    [...documents.matchAll(/`(<[^`]+>)`/g)].map(([, code]) => code as string).find((code) => code.includes(text)) ?? ""
  )
}

/** The script of a layout and its other elements, by version. */
const versions = {
  "1.9.12": {
    head: `${inline("includeIndicatorStyles")}<script src="/scripts/refused-forms.js" defer></script>`,
    script: documented("htmx:beforeSwap"),
  },
  "2.0.11": { head: documented("responseHandling"), script: "" },
  "4.0.1": { head: "", script: "" },
}
type Version = keyof typeof versions

const files = {
  "package.json": '{ "type": "module", "private": true }\n',
  "main.ts": `import { App, csrf, secureHeaders } from "fw"

const app = new App({ logger: false })
app.use(secureHeaders())
app.use(csrf())
// With caching allowed, the browser could answer a request of htmx with a whole page, or a request for a page with
// a fragment.
app.use((next) => async (c) => {
  const answer = await next(c)
  if (c.method === "GET") answer.headers.set("Cache-Control", "max-age=60")
  return answer
})
export default app
`,
  "app/layout.tpl": `import type { Context } from "fw"

template Layout(title: string, c: Context) {
  <!doctype html>
  <html lang="en">
    <head>
      <title>{title}</title>
      <link rel="icon" href="data:,">
      <script src="/scripts/htmx.js" defer></script>
      HEAD
    </head>
    <body id="page" hx-boost="true" hx-boost:inherited="true">
      <header>{for (const text of c.flashed()) { <p role="status">{text}</p> }}<b id="count">0</b></header>
      <main id="main">{children}</main>
      <footer>The end</footer>
    </body>
  </html>
}
`,
  "app/page.tpl": `export const title = "Home"

template Page() {
  <h1>Home</h1>
  <a href="/about">Boosted</a>
  <button hx-get="/about" hx-target="body">Into the body</button>
  <button hx-get="/about" hx-target="#main" hx-push-url="true">Into main</button>
  <button hx-get="/rows" hx-target="#rows">Rows</button>
  <button hx-post="/nothing" hx-target="#rows">Nothing</button>
  <ul id="rows"><li>none</li></ul>
  <a href="/contact">Contact</a>
}
`,
  "app/about/page.tpl": `export const title = "About"

template Page() {
  <h1>About</h1>
}
`,
  "app/nothing/route.ts": `import type { Context } from "fw"

export function Post(c: Context) {
  return c.noContent()
}
`,
  "app/rows/page.tpl": `export const title = "Rows"

template Page() {
  <li>one</li>
  <li>two</li>
  <b id="count" hx-swap-oob="true">2</b>
}
`,
  "app/contact/page.tpl": `import { newForm, type ShownForm } from "fw"

export const title = "Contact"

template Page() {
  {View(newForm())}
}

template View(form: ShownForm) {
  <h1>Contact</h1>
  <form method="post" action="/contact">
    <input name="email" aria-label="Email" value={form.values.email}><i id="issue">{form.issues.email}</i>
    <button>Send</button>
    <button hx-post="/contact" hx-target="#main">Send in main</button>
  </form>
}
`,
  "app/contact/route.ts": `import type { Context, StandardSchema } from "fw"
import { View } from "./page.tpl.ts"

const contact: StandardSchema<{ email: string }> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate(value) {
      const { email } = value as { email?: string }
      return email?.includes("@") ? { value: { email } } : { issues: [{ message: "Not an email.", path: ["email"] }] }
    },
  },
}

export async function Post(c: Context) {
  const form = await c.readForm(contact)
  if (!form.ok) return c.page(422, "Contact", View(form))
  c.flash("Sent.")
  return c.redirect(303, "/about")
}
`,
}

interface Running {
  readonly server: Server
  readonly url: string
}

/** Starts the application with a version of htmx from npm. */
async function start(version: Version, htmxScript: string): Promise<Running> {
  const { head, script } = versions[version]
  const cwd = project({
    ...files,
    "app/layout.tpl": files["app/layout.tpl"].replace("HEAD", head.trim()),
    "scripts/htmx.js": htmxScript,
    "scripts/refused-forms.js": script,
  })
  mkdirSync(join(cwd, "node_modules"))
  symlinkSync(packageDirectory("fw"), join(cwd, "node_modules/fw"))
  const { code, stderr } = await fw(["generate", "templates"], { cwd })
  assert.is(code, 0, stderr)
  const entry = `import routes from "./.fw/routes.ts"
import app from "./main.ts"
app.static("/scripts", ${JSON.stringify(join(cwd, "scripts"))}, { embed: false })
await app.mount(routes)
export { app }
`
  writeFileSync(join(cwd, "entry.ts"), entry)
  const outfile = join(cwd, "entry.mjs")
  await build({
    entryPoints: [join(cwd, "entry.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    outfile,
  })
  const { app } = (await import(pathToFileURL(outfile).href)) as { app: App }
  const { serve } = await importAs<typeof import("../../adapters/node.ts")>(cwd, "fw/node")
  const server = await serve(app, { host: "127.0.0.1", port: 0 })
  return { server, url: `http://localhost:${server.addr.split(":").at(-1)}` }
}

/** Returns the page as a person sees it: its heading, which must exist once in one layout, and its address. */
async function seen(page: Page): Promise<unknown> {
  const count = (selector: string) => page.locator(selector).count()
  return {
    heading: await page.locator("h1").allInnerTexts(),
    layout: [await count("header"), await count("main"), await count("footer")],
    title: await page.title(),
    path: new URL(page.url()).pathname,
  }
}

const whole = (name: string, path: string) => ({ heading: [name], layout: [1, 1, 1], title: name, path })

let browser: TestBrowser
let scripts: Awaited<ReturnType<typeof installHtmx>>

for (const version of Object.keys(versions) as Version[]) {
  const htmx = suite(`htmx ${version}`)
  let running: Running | undefined
  let page: Page

  htmx.before(async () => {
    browser ??= await startBrowser()
    scripts ??= await installHtmx(Object.keys(versions))
    running = await start(version, scripts(version))
  })
  htmx.after(async () => {
    await running?.server.shutdown()
    if (version === "4.0.1") await browser.stop()
  })

  /** Runs a test that begins on the first page. */
  const shown = (name: string, run: () => Promise<void>) =>
    htmx(name, async () => {
      const guarded = await browser.page({ expected: /status of 422|Response Status Error Code 422/ })
      page = guarded.page
      await page.goto(`${running?.url}/`)
      await page.waitForFunction("window.htmx !== undefined")
      await run()
      await guarded.close()
    })

  /** Waits until the page has a heading. */
  const shows = (heading: string) => page.getByRole("heading", { name: heading }).waitFor()
  /** Waits until a whole page is shown. htmx sets the title after the heading. */
  const showsWhole = async (heading: string, path: string) => {
    await shows(heading)
    await waitForCondition(page, `document.title === ${JSON.stringify(heading)}`)
    assert.equal(await seen(page), whole(heading, path))
  }
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click()

  shown("a boosted link shows the whole page, and so do the buttons for back and forward", async () => {
    await page.evaluate("window.kept = true")
    await page.getByRole("link", { name: "Boosted" }).click()
    await showsWhole("About", "/about")
    await page.goBack()
    await showsWhole("Home", "/")
    await page.goForward()
    await showsWhole("About", "/about")
    assert.is(await page.evaluate("window.kept"), true, "a page was loaded without htmx")
  })

  shown("going back to a page that htmx has not cached shows the whole page", async () => {
    await page.evaluate("htmx.config.historyCacheSize = 0")
    await page.getByRole("link", { name: "Boosted" }).click()
    await shows("About")
    await page.goBack()
    await showsWhole("Home", "/")
  })

  shown("a fragment with its own address is a whole page after a reload, and after going back", async () => {
    await press("Into main")
    await shows("About")
    const { layout, path } = (await seen(page)) as ReturnType<typeof whole>
    assert.equal([layout, path], [[1, 1, 1], "/about"])
    await page.goto("about:blank")
    await page.goBack()
    await showsWhole("About", "/about")
    await page.reload()
    assert.equal(await seen(page), whole("About", "/about"))
  })

  shown("hx-target=body gets the whole page", async () => {
    await press("Into the body")
    await showsWhole("About", "/")
  })

  shown("a fragment and its out-of-band element are swapped into the right elements", async () => {
    await press("Rows")
    await page.getByText("two").waitFor()
    assert.equal(await page.locator("#rows > li").allInnerTexts(), ["one", "two"])
    assert.equal(await page.locator("#count").allInnerTexts(), ["2"])
    assert.equal(await seen(page), whole("Home", "/"))
  })

  shown("an answer without content changes nothing", async () => {
    await page.evaluate(`void (window.answered = new Promise((resolve) => {
      for (const name of ["htmx:afterRequest", "htmx:after:request"]) document.addEventListener(name, () => resolve())
    }))`)
    await press("Nothing")
    await page.evaluate("window.answered")
    // htmx swaps at once or in the next task.
    await page.evaluate("new Promise((resolve) => setTimeout(resolve))")
    assert.equal(await page.locator("#rows > li").allInnerTexts(), ["none"])
  })

  shown(
    "a boosted form is shown again with a message when it is refused, and leads to a page with a message that is shown once",
    async () => {
      await page.getByRole("link", { name: "Contact" }).click()
      await shows("Contact")
      await page.getByLabel("Email").fill("ada")
      await press("Send")
      await page.getByText("Not an email.").waitFor()
      assert.equal(await seen(page), whole("Contact", "/contact"))
      assert.is(await page.getByLabel("Email").inputValue(), "ada")
      await page.getByLabel("Email").fill("ada@x.example")
      await press("Send")
      await showsWhole("About", "/about")
      assert.is(await page.getByRole("status").innerText(), "Sent.")
      await page.reload()
      assert.is(await page.getByRole("status").count(), 0)
    },
  )

  shown(
    "a form that swaps a fragment shows no second layout, neither when it is refused nor after its redirect",
    async () => {
      await page.getByRole("link", { name: "Contact" }).click()
      await shows("Contact")
      await press("Send in main")
      await page.getByText("Not an email.").waitFor()
      assert.equal(((await seen(page)) as ReturnType<typeof whole>).layout, [1, 1, 1])
      await page.getByLabel("Email").fill("ada@x.example")
      await press("Send in main")
      await shows("About")
      assert.equal(((await seen(page)) as ReturnType<typeof whole>).layout, [1, 1, 1])
    },
  )

  htmx.run()
}

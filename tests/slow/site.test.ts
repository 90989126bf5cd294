/**
 * Tests of the documentation site: its links, and its pages and playground in a browser, on a phone and a desktop.
 */
import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import axe from "axe-core"
import type { Page } from "playwright-core"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { findMediaType } from "../../lib/static/media-types.ts"
import { fw, runNode } from "../support/bin/cli/command.ts"
import { type GuardedPage, startBrowser, waitForCondition } from "../support/browser.ts"

const site = fileURLToPath(new URL("../../site/", import.meta.url))
const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url))
const output = join(site, "dist/static")
const origin = "https://docs.example.org"

/** Builds the site as its README says. */
async function build(): Promise<void> {
  const options = { cwd: site }
  const prepared = await runNode([join(site, "scripts/prepare.mjs")], options)
  assert.is(prepared.code, 0, prepared.stderr)
  const { code, stdout, stderr } = await fw(["build", "--target", "static", "--site", origin, "--json"], options)
  assert.is(code, 0, stdout + stderr)
  assert.equal(JSON.parse(stdout).data.leftOut, [])
}

await build()
const files = new Set(
  readdirSync(output, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(output, join(entry.parentPath, entry.name)).replaceAll(sep, "/")),
)
const read = (file: string) => readFileSync(join(output, file), "utf8")

/** Returns the file that a host sends for a path. */
function findFile(path: string): string | undefined {
  const name = decodeURIComponent(path).replace(/^\/|\/$/g, "")
  return [name, name === "" ? "index.html" : `${name}/index.html`].find((file) => files.has(file))
}

/** Serves the files as hosts do. */
const server = createServer((request, response) => {
  const found = findFile(new URL(request.url ?? "/", origin).pathname)
  const file = found ?? "404.html"
  response.writeHead(found ? 200 : 404, { "content-type": findMediaType(file) })
  response.end(readFileSync(join(output, file)))
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const browser = await startBrowser()

const test = suite("the documentation site")
test.after(async () => {
  await browser.stop()
  server.close()
})

test("the site's types are correct", async () => {
  for (const folder of [".", "assets"]) {
    const { code, stdout } = await runNode([tsc, "--noEmit", "-p", join(site, folder)], { cwd: site })
    assert.is(code, 0, stdout)
  }
})

test("every link of every page leads to a page, a heading, a file or another site", () => {
  const pages = [...files].filter((file) => file.endsWith(".html"))
  assert.ok(pages.length > 100)
  const ids = new Map(
    pages.map((file) => [file, new Set([...read(file).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]),
  )
  const broken: string[] = []
  for (const file of pages) {
    for (const [, text = ""] of read(file).matchAll(/ (?:href|src|srcset)="([^"]*)"/g)) {
      const { host, protocol, pathname, hash } = new URL(text.replaceAll("&#38;", "&"), `${origin}/${file}`)
      if (!protocol.startsWith("http") || host !== new URL(origin).host) continue
      const target = findFile(pathname)
      const id = decodeURIComponent(hash.slice(1))
      if (!target || (id && !ids.get(target)?.has(id))) broken.push(`${file} links to ${text}`)
    }
  }
  assert.equal(broken, [])
})

test("every page in llms.txt exists as Markdown, and the tutorial is in the sitemap and in llms-full.txt", () => {
  const list = [...read("llms.txt").matchAll(/\]\((\S+)\)/g)].map(([, address = ""]) => new URL(address))
  assert.ok(list.length > 100)
  for (const { origin: host, pathname } of list) {
    assert.is(host, origin)
    assert.match(read(findFile(pathname) ?? "none"), /^# /, pathname)
  }
  assert.match(read("sitemap.xml"), `<loc>${origin}/docs/guides/tutorial</loc>`)
  assert.match(read("docs/guides/tutorial.md"), "# Tutorial")
  assert.match(read("llms-full.txt"), "# Tutorial")
})

const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 900 } }

/** Opens a page on which any message in the console is a failure. */
async function openPage(viewport: { width: number; height: number }): Promise<GuardedPage> {
  const guarded = await browser.page({ viewport })
  const messages: string[] = []
  guarded.page.on("console", (message) => void messages.push(message.text()))
  const close = async () => {
    await guarded.close()
    assert.equal(messages, [])
  }
  return { ...guarded, close }
}

/** Code that returns the names of the problems that axe finds, with their elements. */
const audit =
  "axe.run({ iframes: false }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))"

/** Fails if axe finds a problem in light or dark colours, or if a page is wider than the window. */
async function checkPage(page: Page, what: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(axe.source)
    assert.equal(await page.evaluate(audit), [], `${what}, ${colorScheme}`)
  }
  assert.is(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, `${what} is too wide`)
}

for (const [name, viewport] of Object.entries(sizes)) {
  test(`the site's pages are readable on a ${name}`, async () => {
    const { page, close } = await openPage(viewport)
    for (const path of ["/", "/docs/guides/tutorial", "/docs/reference/templates", "/playground"]) {
      await page.goto(base + path)
      await checkPage(page, path)
    }
    await close()
  })

  test(`the playground runs an app, and shows its mistakes, on a ${name}`, async () => {
    const { page, close } = await openPage(viewport)
    await page.goto(`${base}/playground`)
    const preview = page.frameLocator("#preview")
    const editor = page.locator("#editor")
    await page.click("#run")
    await preview.getByText("Water the plants").waitFor()
    await checkPage(page, "the playground after a run")

    await preview.locator("input[name=q]").fill("letter")
    await preview.getByRole("button", { name: "Search" }).click()
    await waitForCondition(page, "document.querySelector('#address').value === '/?q=letter'")
    assert.is(await preview.getByText("Water the plants").count(), 0)

    await editor.fill((await editor.inputValue()).replace("<h1>Tasks</h1>", "<h1>My tasks</h1>"))
    await page.click("#run")
    await preview.getByText("My tasks").waitFor()

    await editor.fill((await editor.inputValue()).replace("</h1>", "</h2>"))
    await page.click("#run")
    await page.locator("#problem h2").waitFor()
    assert.match(
      await page.locator("#problem").innerText(),
      /<\/h2> does not close <h1>[\s\S]*app\/page\.tpl:9:15[\s\S]*Close it with/,
    )

    await editor.fill((await editor.inputValue()).replace("</h2>", "{missing.name}</h1>"))
    await page.click("#run")
    await page.locator("#problem h2", { hasText: "missing is not defined" }).waitFor()
    assert.match(await page.locator("#problem").innerText(), /app\/page\.tpl:9:/)
    await checkPage(page, "the playground with a mistake")

    await page.selectOption("#example", "A form")
    await preview.getByRole("button", { name: "Sign up" }).click()
    await preview.getByText("Use two letters or more.").waitFor()
    await preview.getByLabel("Name").fill("Ada")
    await preview.getByLabel("Email").fill("ada@example.com")
    await preview.getByRole("button", { name: "Sign up" }).click()
    await preview.getByText("Welcome, Ada").waitFor()

    for (const [example, text] of [
      ["An API", '"name": "Write a letter"'],
      ["Components", "A component takes markup."],
      ["A slow part", "Looking for offers"],
      ["A slow part", "Cheese"],
    ] as const) {
      if ((await page.inputValue("#example")) !== example) await page.selectOption("#example", example)
      await preview.getByText(text).waitFor()
    }
    await close()
  })
}

test("the search works with the keyboard", async () => {
  const { page, close } = await openPage(sizes.desk)
  await page.goto(`${base}/docs/guides/tutorial`)
  await page.keyboard.press("/")
  await page.keyboard.type("multipart")
  await page.locator("#search li").first().waitFor()
  await checkPage(page, "the search")
  await page.keyboard.press("ArrowDown")
  const href = await page.evaluate("document.activeElement.getAttribute('href')")
  await page.keyboard.press("Enter")
  await page.waitForURL(`${base}${href}`)
  await close()
})

test("the chosen colours stay on the next page", async () => {
  const { page, close } = await openPage(sizes.desk)
  await page.emulateMedia({ colorScheme: "light" })
  await page.goto(base)
  await page.click("#theme-button")
  await page.goto(`${base}/docs`)
  assert.is(await page.evaluate("document.documentElement.dataset.theme"), "dark")
  await close()
})

test("without scripts, a page is complete, and the list of pages opens on a phone", async () => {
  const { page, close } = await browser.page({ viewport: sizes.phone, noScript: true })
  await page.goto(`${base}/docs/guides/tutorial`)
  await page.getByRole("heading", { name: "10. On a server" }).waitFor()
  assert.is(await page.locator("#search-button").isVisible(), false)
  await page.getByRole("button", { name: "Menu" }).click()
  await page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name: "Forms and htmx" }).click()
  await page.waitForURL(`${base}/docs/guides/forms-and-htmx`)
  await close()
})

test.run()

/** Tests of the guides about code for the browser: their files run in a browser under `fw dev`. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type Dev, makeProject, startDev } from "../support/bin/dev/dev-project.ts"
import { startBrowser, type TestBrowser } from "../support/browser.ts"
import { readSteps } from "../support/docs/guides/steps.ts"
import { root as checkout } from "../support/tsc.ts"

const base = {
  "package.json": '{ "type": "module" }\n',
  "tsconfig.json": '{ "compilerOptions": { "target": "ES2022" } }\n',
  "main.ts": `import { App, secureHeaders } from "fw"\n\nconst app = new App()\napp.use(secureHeaders())\nexport default app\n`,
  "app/layout.tpl": `template Layout(title: string) {
  <!doctype html>
  <html lang="en"><head><title>{title}</title><link rel="icon" href="data:,"></head><body>{children}</body></html>
}
`,
}

let browser: TestBrowser
/** A directory with packages from npm. */
const packages = mkdtempSync(join(tmpdir(), "fw-guide-packages-"))
test.before(async () => {
  browser = await startBrowser()
})
test.after(async () => {
  await browser.stop()
  rmSync(packages, { recursive: true, force: true })
})

/** Writes the files of a guide, and starts them. */
async function startGuide(name: string, installed: readonly string[] = []): Promise<{ dev: Dev; port: number }> {
  const text = readFileSync(join(checkout, "docs/guides", name), "utf8")
  const files = readSteps(name, text).flatMap((step) => (step.kind === "write" ? [[step.file, step.content]] : []))
  assert.ok(files.length >= 3)
  const root = makeProject({ ...base, ...Object.fromEntries(files) })
  for (const one of installed) symlinkSync(join(packages, "node_modules", one), join(root, "node_modules", one), "dir")
  const dev = startDev(root)
  return { dev, port: await dev.port() }
}

async function look(port: number, path: string, check: (page: Page) => Promise<void>): Promise<void> {
  const { page, close } = await browser.page()
  await page.goto(`http://localhost:${port}${path}`)
  await check(page)
  await close()
}

test("the guides for a chart and for a form field that completes work", async () => {
  const { dev, port } = await startGuide("browser-code.md")
  await look(port, "/sales", async (page) => {
    await page.waitForSelector("bar-chart-element > svg rect:nth-of-type(4)", { state: "attached" })
    const heights = await page.locator("rect").evaluateAll((bars) => bars.map((bar) => bar.getAttribute("height")))
    assert.equal(heights.map(Number).map(Math.round), [27, 68, 48, 100])
  })
  await look(port, "/travel", async (page) => {
    await page.getByLabel("City").pressSequentially("ber")
    await page.waitForSelector("#cities option:nth-child(3):last-child", { state: "attached" })
    await page.getByLabel("City").fill("bre")
    await page.waitForSelector("#cities option:nth-child(2):last-child", { state: "attached" })
  })
  assert.is(await dev.stop(), 0)
})

test("the guides for elements with Lit and Preact work", async () => {
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefix", packages, "lit@3", "preact@10"])
  assert.ok(readdirSync(join(packages, "node_modules")).includes("lit"))
  const { dev, port } = await startGuide("recipes/elements.md", ["lit", "preact"])
  await look(port, "/", async (page) => {
    await page.getByText("Lit: 3").click()
    await page.getByText("Lit: 4").waitFor()
    await page.getByText("Preact: 5").click()
    await page.getByText("Preact: 6").waitFor()
  })
  assert.is(await dev.stop(), 0)
})

test.run()

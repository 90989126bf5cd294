/** The documentation under `fw dev` in a browser: on a phone and a desk, light and dark. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import axe from "axe-core"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { makeProject, route, startDev } from "../support/bin/dev/dev-project.ts"
import { startBrowser } from "../support/browser.ts"
import { root } from "../support/tsc.ts"

const audit =
  "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))"
const pages = [
  "",
  "start/development.md",
  "reference/templates.md",
  "reference/testing.md",
  "?q=cookies",
  "none.md",
]

test("axe finds no problem, nothing is wider than the screen, and no script or style is blocked", async () => {
  const dev = startDev(makeProject({ "app/api/route.ts": route("one") }))
  const port = await dev.port()
  const browser = await startBrowser()
  try {
    const { page, close } = await browser.page({ expected: /status of 404/ })
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme })
        for (const path of pages) {
          const what = `${path} at ${width}, ${colorScheme}`
          await page.goto(`http://localhost:${port}/__fw/docs/${path}`)
          assert.is(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, what)
          await page.evaluate(axe.source)
          assert.equal(await page.evaluate(audit), [], what)
        }
      }
    }
    await page.goto(`http://localhost:${port}/__fw/docs/`)
    await page.getByRole("searchbox").fill("fw test watch")
    await page.getByRole("button", { name: "Search" }).click()
    await page.getByRole("link", { name: "fw test" }).first().click()
    await page.waitForURL(/reference\/testing\.md#/)
    const heading = await page.locator(":target").textContent()
    assert.match(readFileSync(join(root, "docs/reference/testing.md"), "utf8"), `## ${heading}`)
    await close()
  } finally {
    await browser.stop()
    await dev.stop()
  }
})

test.run()

/**
 * Tests the guide "A page that follows one record" in Chromium, with two processes that share Redis and a browser
 * for each.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { newUser, oldestNode } from "../support/bin/new/packed.ts"
import { startBrowser } from "../support/browser.ts"
import { readSteps } from "../support/docs/guides/steps.ts"
import { Walk } from "../support/docs/guides/walk.ts"
import { root } from "../support/tsc.ts"

const guide = "docs/guides/recipes/live-page.md"

test("a change in one process appears on the page of the other, also after a lost connection", async () => {
  const walk = new Walk(await newUser(), await oldestNode())
  const browser = await startBrowser()
  try {
    for (const step of readSteps(guide, readFileSync(join(root, guide), "utf8")))
      if (step.kind !== "ask") await walk.take(step)
    await walk.run("npm run build -- --target node")
    const server = "node dist/node/server.mjs"
    const [near, far] = [await walk.serve(server), await walk.serve(server)]
    const expected = /htmx:sse:error|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING/
    const readers = [await browser.page({ expected }), await browser.page({ expected })]
    const [first, second] = readers.map(({ page }) => page) as [Page, Page]
    const says = (page: Page, status: string) =>
      page.locator("[hx-sse\\:connect] strong").getByText(status, { exact: true }).waitFor()
    for (const [page, { port }] of [
      [first, near],
      [second, far],
    ] as const) {
      const connected = page.waitForResponse((response) => response.url().endsWith("/tickets/7/events"))
      await page.goto(`http://localhost:${port}/tickets/7`)
      assert.is((await connected).status(), 200)
      await says(page, "open")
    }
    // Sends the form of the page, whose button can only say "solved".
    await first.evaluate(`fetch("/tickets/7", { method: "POST", body: new URLSearchParams({ status: "waiting" }) })`)
    await says(second, "waiting")

    await far.program.stop()
    await first.getByRole("button", { name: "Solved" }).click()
    await says(first, "solved")
    await walk.serve(`PORT=${far.port} ${server}`)
    await says(second, "solved")
    for (const reader of readers) await reader.close()
  } finally {
    await browser.stop()
    await walk.end()
  }
})

test.run()

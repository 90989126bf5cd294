/** Tests of the recipes in docs/operations/hosts.md for service workers, in Chromium. */

import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { listFiles, type RecipeProject, recipeProject } from "../support/bin/new/recipes.ts"
import { type GuardedPage, startBrowser } from "../support/browser.ts"

/**
 * Bundles a service worker, and opens a page that it controls. `asked` has the paths that it passes to the server.
 */
async function controlled(
  { folder, run }: RecipeProject,
  script: string,
  use: (page: GuardedPage["page"], asked: readonly string[]) => Promise<void>,
): Promise<void> {
  await run(process.execPath, "node_modules/esbuild/install.js")
  await run("node_modules/esbuild/bin/esbuild", script, "--bundle", "--outfile=public/sw.js")
  const asked: string[] = []
  const server = createServer((incoming, outgoing) => {
    asked.push(incoming.url as string)
    const script = incoming.url === "/sw.js"
    outgoing.setHeader("content-type", script ? "text/javascript" : "text/html")
    outgoing.end(script ? readFileSync(join(folder, "public/sw.js")) : "<link rel=icon href=data:,><title>page</title>")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const browser = await startBrowser()
  try {
    const guarded = await browser.page()
    await guarded.page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
    await guarded.page.evaluate(
      "navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => 0)",
    )
    // A service worker controls a page only after the next reload.
    await guarded.page.reload()
    await use(guarded.page, asked)
    await guarded.close()
  } finally {
    await browser.stop()
    server.closeAllConnections()
    server.close()
  }
}

test("a service worker answers with the app, without the network", async () => {
  const recipe = await recipeProject(listFiles("Service worker"), ["esbuild"])
  await controlled(recipe, "sw.js", async (page, asked) => {
    const answers = await page.evaluate(async () => {
      const text = async (path: string, init?: RequestInit) => (await fetch(path, init)).text()
      const headers = { "content-type": "application/json" }
      return [
        await text("/api/hello/ada"),
        await text("/api/echo", { method: "POST", headers, body: '{"a":1}' }),
        await text("/api/count"),
        await text("/api/hello/ada/"),
        await text("/elsewhere"),
      ]
    })
    assert.equal(JSON.parse(answers[0] as string), { hello: "ada", client: "" })
    assert.equal(answers.slice(1, 3), ['{"a":1}', "one two three"])
    assert.equal(answers[3], answers[0])
    assert.match(answers[4] as string, /<title>page/)
    assert.equal(
      asked.filter((path) => path.startsWith("/api/")),
      [],
    )
  })
})

test("a service worker answers with the route files and pages of a project", async () => {
  const files = {
    ...listFiles("Service worker"),
    "main.ts": 'import { App } from "fw"\nexport default new App({ logger: false })\n',
    "app/api/time/route.ts":
      'import type { Context } from "fw"\nexport const Get = (c: Context) => c.json(200, { time: 1 })\n',
    "app/layout.tpl": `template Layout(title: string) {
  <!doctype html>
  <html lang="en"><head><title>{title}</title><link rel="icon" href="data:,"></head><body>{children}</body></html>
}
`,
    "app/page.tpl": "template Page() {\n  <h1>From the worker</h1>\n}\n",
  }
  const recipe = await recipeProject(files, ["esbuild"])
  await recipe.run("node_modules/.bin/fw", "generate", "templates")
  await controlled(recipe, "project-sw.js", async (page, asked) => {
    assert.equal(await page.evaluate("fetch('/api/time').then((answer) => answer.json())"), { time: 1 })
    assert.equal([await page.title(), await page.innerText("h1")], ["Home", "From the worker"])
    // The browser may request the script again at any time.
    assert.equal(
      asked.filter((path) => path !== "/sw.js"),
      ["/"],
    )
  })
})

test.run()

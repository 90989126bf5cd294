/** The recipe of docs/operations/hosts.md for a service worker, in Chromium. */

import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { filesOf, recipeProject } from "../support/bin/new/recipes.ts"
import { startBrowser } from "../support/browser.ts"

test("a service worker answers with the app, without the network", async () => {
  const { run, folder } = await recipeProject(filesOf("Service worker"), ["esbuild"])
  await run(process.execPath, "node_modules/esbuild/install.js")
  await run("node_modules/esbuild/bin/esbuild", "sw.js", "--bundle", "--outfile=public/sw.js")
  const asked: string[] = []
  const server = createServer((incoming, outgoing) => {
    asked.push(incoming.url as string)
    const script = incoming.url === "/sw.js"
    outgoing.setHeader("content-type", script ? "text/javascript" : "text/html")
    outgoing.end(
      script ? readFileSync(join(folder, "public/sw.js")) : "<link rel=icon href=data:,><title>page</title>",
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const browser = await startBrowser()
  try {
    const guarded = await browser.page()
    await guarded.page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
    await guarded.page.evaluate(
      "navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => 0)",
    )
    // A page is controlled from its next loading on.
    await guarded.page.reload()
    const answers = await guarded.page.evaluate(async () => {
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
    await guarded.close()
  } finally {
    await browser.stop()
    server.closeAllConnections()
    server.close()
  }
})

test.run()

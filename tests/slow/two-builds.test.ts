/**
 * Tests of two builds of a project behind HAProxy with FW_ASSETS_DIR: each answers with every file that the pages
 * of both load.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { build, type Served, serve } from "../support/bin/build/executables.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"
import { deployFile } from "../support/docs/deploy-files.ts"
import { findFreePort } from "../support/free-port.ts"
import { startHAProxy } from "../support/store/haproxy.ts"
import type { TestServer } from "../support/store/server.ts"

/** Returns the files of a project, whose assets contain the name of the build. */
const files = (name: string) => ({
  "package.json": '{ "name": "shop", "type": "module", "imports": { "#assets": "./.fw/assets.ts" } }\n',
  "main.ts": `import { App } from "fw"

const app = new App({ logger: false })
app.health()
app.use((next) => (c) => {
  c.setHeader("X-Build", "${name}")
  return next(c)
})
export default app
`,
  "app/page.tpl": `import { asset } from "#assets"

template Page() {
  <html>
    <head>
      <title>${name}</title>
      <link rel="stylesheet" href="/assets/site.css">
      <script type="module" src="/assets/cart.ts"></script>
      <script type="module" src="/assets/menu.ts"></script>
    </head>
    <body>
      <img src="/static/logo.svg" alt="">
      <a href={asset("/static/terms.txt")}>Terms</a>
      <price-element></price-element>
    </body>
  </html>
}
`,
  "app/price.element.ts": `import { format } from "../lib/format.ts"

export class PriceElement extends HTMLElement {
  connectedCallback() {
    this.textContent = format(7)
  }
}
`,
  "assets/cart.ts": `import { format } from "../lib/format.ts"\nconsole.log(format(1), "cart of ${name}")\n`,
  "assets/menu.ts": `import { format } from "../lib/format.ts"\nconsole.log(format(2))\nvoid import("../lib/late.ts")\n`,
  "assets/site.css": `body::before { content: "${name}"; background: url("./dot.png") }\n`,
  "assets/dot.png": `not really a picture, of ${name}`,
  "lib/format.ts": `export const format = (price: number): string => \`\${price} € in ${name}\`\n`,
  "lib/late.ts": `console.log("late in ${name}")\n`,
  "static/logo.svg": `<svg xmlns="http://www.w3.org/2000/svg"><title>${name}</title></svg>\n`,
  "static/terms.txt": `${"The terms. ".repeat(200)} ${name}\n`,
})

const shared = mkdtempSync(join(tmpdir(), "fw-two-builds-"))
const running: Served[] = []
let balancer: TestServer | undefined
test.after(async () => {
  await balancer?.end()
  for (const served of running) await served.stop()
  rmSync(shared, { recursive: true })
})

/** Returns the URLs of all files of a build that its page and these files name. */
async function listFiles(url: string): Promise<string[]> {
  const found = new Set<string>()
  const visit = async (path: string) => {
    const answer = await fetch(new URL(path, url))
    assert.is(answer.status, 200, path)
    const text = await answer.text()
    for (const [name] of text.matchAll(/(?:\/(?:assets|static)\/|\.\/)[\w/.-]+-[0-9A-Z]{8}\.\w+/g)) {
      const next = new URL(name, new URL(path, url)).pathname
      if (found.has(next)) continue
      found.add(next)
      await visit(next)
    }
  }
  await visit("/")
  return [...found].sort()
}

test("each of two builds answers with every file of both", async () => {
  const [old, next] = [makeProject(files("old")), makeProject(files("next"))]
  for (const ran of await Promise.all([build(old, ["--target", "node"]), build(next)]))
    assert.is(ran.code, 0, ran.stdout + ran.stderr)
  const env = { HOST: "127.0.0.1", FW_ASSETS_DIR: shared }
  // All processes start at once, with an empty directory.
  running.push(
    ...(await Promise.all([
      serve([process.execPath, join(old, "dist/node/server.mjs")], old, { ...env, FW_WORKERS: "2" }),
      serve([join(next, "bin/shop")], next, env),
    ])),
  )
  const files1 = await listFiles((running[0] as Served).url)
  const files2 = await listFiles((running[1] as Served).url)
  // The files are cart, menu, the code that they share, the code that is loaded later, the element, the stylesheet,
  // its picture, and two static files.
  assert.is(files1.length, 9, files1.join("\n"))
  assert.is(files2.length, 9, files2.join("\n"))
  const all = new Set([...files1, ...files2])
  assert.is(all.size, 18, "a file has the same URL in both builds")

  const port = await findFreePort()
  const servers = running.map(({ url }, index) => `server s${index} 127.0.0.1:${new URL(url).port}`)
  balancer = await startHAProxy(
    port,
    deployFile("haproxy.cfg", {
      "bind :80": `bind 127.0.0.1:${port}`,
      "server one 127.0.0.1:3001\n": "",
      "server two 127.0.0.1:3002": servers.join("\n  "),
    }),
  )
  for (const path of all) {
    const bodies = new Map<string, string>()
    for (let attempt = 0; bodies.size < 2 && attempt < 20; attempt += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      assert.is(answer.status, 200, `${path} by ${answer.headers.get("x-build")}`)
      assert.is(answer.headers.get("cache-control"), "public, max-age=31536000, immutable")
      bodies.set(answer.headers.get("x-build") ?? "", await answer.text())
    }
    assert.equal([...bodies.keys()].sort(), ["next", "old"], path)
    assert.is(new Set(bodies.values()).size, 1, path)
  }
  const unknown = await fetch(`http://127.0.0.1:${port}/assets/cart-00000000.js`)
  assert.is(unknown.status, 404)
  assert.ok(existsSync(join(shared, "static")))
})

test("a program ends with an error if FW_ASSETS_DIR names a file", async () => {
  const [program = "", ...args] = (running[0] as Served).child.spawnargs
  const error = await serve([program, ...args], shared, { FW_ASSETS_DIR: "/dev/null" }).catch(String)
  assert.match(
    String(error),
    /FW_ASSETS_DIR names "\/dev\/null", where the program cannot write its files: it is a file/,
  )
})

test.run()

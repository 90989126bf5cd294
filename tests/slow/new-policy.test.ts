/**
 * Tests a new project under its own Content-Security-Policy, in a browser that reports every violation as an error.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { copyNewProject, newUser, serving } from "../support/bin/new/packed.ts"
import { startBrowser } from "../support/browser.ts"

const user = await newUser()
const builder = fileURLToPath(new URL("../../tests/support/bin/css/css-standalone.mjs", import.meta.url))
const compiler = execFileSync(process.execPath, [builder], { encoding: "utf8" }).trim().split("\n").at(-1) as string
const env = { ...user.env, FW_CSS_BINARY: compiler }
const cwd = join(user.folder, "shop")
const command = join(cwd, "node_modules/.bin/fw")

const files = {
  "app/broken/page.tpl":
    'template Page() {\n  {failing()}\n}\n\nfunction failing(): string {\n  throw new Error("no")\n}\n',
  "app/note/page.tpl": `template Page() {
  <form method="post" action="/note"><input name="text" value="hello"><button>Send</button></form>
  <form hx-post="/note" hx-target="#sent"><input name="text" value="by htmx"><button>Swap</button></form>
  <p id="sent"></p>
  <p id="live"></p>
  <script src="/static/live.js" defer></script>
}
`,
  "app/note/route.ts": `import type { Context } from "fw"

export async function Post(c: Context) {
  return c.html(200, \`<p>Sent: \${(await c.formValue("text")) === "hello" ? "hello" : "by htmx"}</p>\`)
}
`,
  "app/api/live/route.ts": `import type { Context } from "fw"

export function Get(c: Context) {
  return c.sse(async (events) => {
    await events.send("hello by SSE")
    await events.closed
  })
}
`,
  "static/live.js":
    'new EventSource("/api/live").onmessage = ({ data }) => (document.querySelector("#live").textContent = data)\n',
}

const policy = suite("the policy of a new project")

policy("everything that fw writes and adds works under the policy of a new project", async () => {
  await copyNewProject(cwd)
  for (const [name, text] of Object.entries(files)) {
    execFileSync("mkdir", ["-p", join(cwd, name, "..")])
    writeFileSync(join(cwd, name), text)
  }
  await user.run([command, "generate", "page", "about"], { cwd, env })
  await user.run([command, "css", "build"], { cwd, env })
  const browser = await startBrowser()
  try {
    await serving(
      (onLine) => user.start([command, "dev", "--port", "0"], { cwd, env, onLine }),
      /Local: +http:\/\/localhost:(\d+)/,
      async (port) => {
        // A violation is printed to the console as an error. Only the statuses are expected there.
        const { page, close } = await browser.page({ expected: /status of (?:404|500|503)/ })
        const at = (path: string) => page.goto(`http://localhost:${port}${path}`)
        const response = await at("/")
        assert.match(response?.headers()["content-security-policy"] ?? "", /default-src 'self'/)
        for (const path of ["/about", "/nothing", "/broken"]) await at(path)
        await at("/note")
        await page.waitForSelector("text=hello by SSE")
        await page.getByRole("button", { name: "Swap" }).click()
        await page.waitForSelector("text=Sent: by htmx")
        await page.getByRole("button", { name: "Send" }).click()
        await page.waitForSelector("text=Sent: hello")

        await at("/about")
        const file = join(cwd, "app/about/page.tpl")
        const text = readFileSync(file, "utf8")
        writeFileSync(file, text.replace("{title}", "Reloaded"))
        await page.waitForSelector("h1:has-text('Reloaded')")
        writeFileSync(file, text.replace("{title}", "{title"))
        await page.waitForSelector("text=app/about/page.tpl")
        writeFileSync(file, text.replace("{title}", "Repaired"))
        await page.waitForSelector("h1:has-text('Repaired')")
        await close()
      },
    )
    await serving(
      (onLine) => user.start([command, "openapi", "serve", "--port", "0"], { cwd, env, onLine }),
      /Explorer: +http:\/\/localhost:(\d+)/,
      async (port) => {
        const { page, close } = await browser.page()
        await page.goto(`http://localhost:${port}/docs`)
        await page.getByText("/api/health").first().waitFor()
        await close()
      },
    )
  } finally {
    await browser.stop()
  }
})

policy.run()

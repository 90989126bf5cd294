/**
 * Tests of the request page of `fw dev` in a browser, on a desktop and a phone: it has to answer three questions of
 * a developer without other help.
 */
import axe from "axe-core"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { ask, type Dev, makeProject, startDev, write } from "../support/bin/dev/dev-project.ts"
import { startBrowser, type TestBrowser, waitForCondition } from "../support/browser.ts"

const test = suite("fw dev: requests in a browser")
const root = makeProject(
  {
    "app/admin/middleware.ts": `import { HttpError, type MiddlewareFunc } from "fw"
export function Middleware(): MiddlewareFunc {
  return () => async () => new HttpError(403, "only for admins")
}
`,
    "app/admin/page.tpl": 'export const title = "Admin"\n\ntemplate Page() {\n  <h1>Admin</h1>\n}\n',
    "app/api/orders/route.ts": `import type { Context } from "fw"
interface Order { count: number }
export async function Post(c: Context) {
  const order = await c.bind<Order>()
  await c.span("load prices", () => new Promise((resolve) => setTimeout(resolve, 60)))
  const saved: { id: number } = JSON.parse('{"id":"seven"}')
  return c.json(201, saved)
}
export const Get = (c: Context) => c.json(200, [])
`,
    "package.json": JSON.stringify({ name: "shop", type: "module", imports: { "#jobs": "./.fw/jobs.ts" } }),
    "app/print/job.ts": `import { existsSync } from "node:fs"
export const options = { retries: 0 }
export function Job() {
  if (!existsSync("paper")) throw new Error("out of paper")
}
`,
    "app/api/print/route.ts": `import type { Context } from "fw"
import { jobs } from "#jobs"
export const Post = async (c: Context) => c.json(202, await jobs.add("print"))
`,
  },
  ["fw", "esbuild", "typescript", "better-sqlite3"],
)
let dev: Dev
let port = 0
let browser: TestBrowser
const send = (count: unknown) =>
  ask(port, "/api/orders", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ count }),
  })

test.before(async () => {
  dev = startDev(root)
  port = await dev.port()
  browser = await startBrowser()
})
test.after(async () => {
  await browser.stop()
  assert.is(await dev.stop(), 0)
})

for (const [device, viewport, colorScheme] of [
  ["a desk", { width: 1280, height: 800 }, "light"],
  ["a phone", { width: 390, height: 844 }, "dark"],
] as const) {
  test(`on ${device}: the page shows who answered 403, what is slow, and what the client sent`, async () => {
    const { page, close } = await browser.page({ viewport })
    await page.emulateMedia({ colorScheme })
    await page.goto(`http://localhost:${port}/__fw/`)
    // The page lists requests while they arrive.
    await ask(port, "/admin")
    await page
      .getByRole("link", { name: /GET \/admin/ })
      .first()
      .press("Enter")
    assert.match(await page.locator("#detail").innerText(), /Answered by\s+middleware app\/admin\/middleware\.ts/)
    await send(3)
    await page.goto(`http://localhost:${port}/__fw/`)
    await page
      .getByRole("link", { name: /POST \/api\/orders/ })
      .first()
      .click()
    const detail = page.locator("#detail")
    assert.match(await detail.innerText(), /span load prices\s+\d+(?:\.\d)? ms/)
    assert.match(await detail.innerText(), /Body: 11 bytes\s+\{\s+"count": 3\s+\}/)
    await waitForCondition(
      page,
      `document.querySelector("#detail").innerText.includes("id: expected a number, got a string")`,
    )
    await page.evaluate(axe.source)
    const violations = await page.evaluate(
      "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + nodes[0].html))",
    )
    assert.equal(violations, [])
    const { scrollWidth, clientWidth } = (await page.evaluate(
      "(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)",
    )) as { scrollWidth: number; clientWidth: number }
    assert.is(scrollWidth, clientWidth)
    await page.getByRole("button", { name: "Replay" }).click()
    await page.getByText("Sent again, to the current program.").waitFor()
    assert.match(await detail.innerText(), /Replay\s+of request/)
    await close()
  })
}

test("the page with the jobs follows them, also a job that its button runs again", async () => {
  const { page, close } = await browser.page()
  await page.goto(`http://localhost:${port}/__fw/jobs`)
  assert.match(await page.locator("#jobs").innerText(), "No job waits")
  await ask(port, "/api/print", { method: "POST" })
  await page.getByText("out of paper").first().waitFor()
  write(root, { paper: "" })
  await page.getByRole("button", { name: "Retry" }).click()
  await page.getByText("runs again.").waitFor()
  await page.getByText("No job waits").waitFor()
  await close()
})

test("the page of mails shows a new mail by itself", async () => {
  const { page, close } = await browser.page()
  await page.goto(`http://localhost:${port}/__fw/mail`)
  const mail = {
    subject: "Welcome",
    text: "Hello",
    date: new Date().toISOString(),
    to: [{ name: "", address: "a@b.example" }],
  }
  write(root, { ".fw/mail/1-a.json": JSON.stringify(mail) })
  await page.getByText("Welcome").waitFor()
  await close()
})

test.run()

/**
 * Takes the pictures in docs/pictures/ by headless Chromium: the terminal of `fw dev`, an error page, the API explorer, the
 * start page of a new project, and an edit of that page with a mistake. Run it by hand after `npm run build`, and look at
 * each picture. It needs Chromium, and the npm registry for the packages of the project.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { chromium } from "playwright-core"
import { isMain, root, runProgram, runScript, ScriptError } from "./common.mjs"
import { createTerminalPicture } from "./terminal-picture.mjs"

const commandFile = join(root, "dist/bin/fw.js")
const picturesDirectory = join(root, "docs/pictures")
/** Maximum number of bytes of a picture. The pictures are part of the package, because its pages show them. */
const maxBytes = 25_000
const bothSchemes = ["light", "dark"]

const routeSource = `import { type Context, notFound } from "fw"

/** Something to do. */
export interface Task {
  id: number
  /** A short text. */
  title: string
  state: "open" | "done"
}

const tasks = new Map<number, Task>([[1, { id: 1, title: "Look at the pictures", state: "open" }]])

/** One task. */
export function Get(c: Context<"id">) {
  const task = tasks.get(c.paramInt("id"))
  if (!task) throw notFound("no such task")
  return c.json(200, task)
}

/** Changes a task. */
export async function Patch(c: Context<"id">) {
  const change = await c.bind<Partial<Pick<Task, "title" | "state">>>()
  return c.json(200, change)
}

/** Removes a task. */
export function Delete(c: Context<"id">) {
  tasks.delete(c.paramInt("id"))
  return c.noContent()
}
`

const priceSource = `interface Item {
  name: string
  price?: { amount: number }
}

const items: Item[] = [{ name: "Lamp", price: { amount: 40 } }, { name: "Desk" }]

export function total(): number {
  return items.reduce((sum, item) => sum + item.price!.amount, 0)
}
`

const shopPageSource = `import { total } from "#lib/price.ts"

export const title = "Cart"

template Page() {
  <h1 class="text-3xl font-semibold">Your cart</h1>
  <p>Total: {total()} €</p>
}
`

/** A command of fw that keeps running, and its output. */
class Command {
  output = ""
  #child

  /** @param {string} folder @param {readonly string[]} args */
  constructor(folder, args) {
    const env = { ...process.env, FORCE_COLOR: "1", FW_EDITOR: "true", NO_COLOR: undefined }
    this.#child = spawn(process.execPath, [commandFile, ...args], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        this.output += text
      })
  }

  /** Waits until the output matches a pattern, and returns the match. */
  async waitForOutput(/** @type {RegExp} */ pattern) {
    const timeoutSignal = AbortSignal.timeout(60_000)
    for (;;) {
      const match = pattern.exec(stripVTControlCharacters(this.output))
      if (match) return match
      if (this.#child.exitCode !== null) throw new ScriptError(`it ended:\n${this.output}`)
      if (timeoutSignal.aborted) throw new ScriptError(`it did not print ${pattern}:\n${this.output}`)
      await Promise.race([
        once(this.#child.stdout, "data"),
        once(this.#child.stderr, "data"),
        once(this.#child, "exit"),
        once(timeoutSignal, "abort"),
      ])
    }
  }

  async stop() {
    if (this.#child.exitCode !== null) return
    this.#child.kill("SIGTERM")
    await once(this.#child, "exit")
  }
}

/** Creates a project in a folder, with an API and a page that has a bug. */
async function createProject(folder) {
  const result = await runProgram(process.execPath, [commandFile, "new", "shop", "--skip-prompts"], {
    cwd: folder,
  })
  if (result.code !== 0) throw new ScriptError(result.output)
  const shop = join(folder, "shop")
  const write = (path, text) => {
    mkdirSync(join(shop, path, ".."), { recursive: true })
    writeFileSync(join(shop, path), text)
  }
  write("app/api/tasks/[id]/route.ts", routeSource)
  return { shop, write }
}

/** Takes a picture of a page in light colours and, if asked, in dark colours as `<name>-dark`. */
async function takePicture(page, name, schemes = ["light"]) {
  const session = await page.context().newCDPSession(page)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 20 })
    const bytes = Buffer.from(data, "base64")
    const file = `${name}${colorScheme === "dark" ? "-dark" : ""}.webp`
    if (bytes.length > maxBytes) throw new ScriptError(`${file} has ${bytes.length} bytes, more than ${maxBytes}`)
    writeFileSync(join(picturesDirectory, file), bytes)
    console.log(`docs/pictures/${file}  ${bytes.length} bytes`)
  }
  await session.detach()
}

/** Starts `fw dev`. Tries again a few times, because it may start too slowly on a busy machine. */
async function startDev(/** @type {string} */ shop) {
  for (let attemptsLeft = 5; ; attemptsLeft--) {
    const dev = new Command(shop, ["dev", "--host", "localhost", "--port", "0"])
    const [, time] = await dev.waitForOutput(/ready in (\d+) ms/)
    const [, origin] = await dev.waitForOutput(/(http:\/\/localhost:\d+)/)
    if (Number(time) < 1000 || attemptsLeft === 1) return { dev, origin }
    await dev.stop()
  }
}

/** Takes the pictures of `fw dev`: the start page, an edit with a mistake, the error page, and the terminal. */
async function pictureDev(browser, { shop, write }) {
  const { dev, origin } = await startDev(shop)
  try {
    const page = await browser.newPage({ viewport: { width: 960, height: 640 }, deviceScaleFactor: 1.5 })
    // Problem pages have no icon, so the browser asks for one.
    await page.route("**/favicon.ico", (route) => route.abort())
    await page.goto(`${origin}/`)
    await takePicture(page, "start-page", bothSchemes)
    await page.request.get(`${origin}/api/tasks/1`)
    await page.request.patch(`${origin}/api/tasks/1`, { data: { state: "done" } })
    await page.goto("about:blank")
    write("lib/price.ts", priceSource)
    write("app/cart/page.tpl", shopPageSource)
    await dev.waitForOutput(/rebuilt in/)
    await page.goto(`${origin}/cart`)
    await page.getByText("Cannot read properties of undefined").first().waitFor()
    await dev.waitForOutput(/GET \/cart/)
    await takePicture(page, "overlay")
    const text = dev.output.replaceAll(new URL(origin).port, "3000")
    writeFileSync(join(picturesDirectory, "terminal.svg"), createTerminalPicture("npx fw dev", text))
    rmSync(join(shop, "app/cart"), { recursive: true })
    await page.goto(`${origin}/`)
    const file = join(shop, "app/page.tpl")
    writeFileSync(file, readFileSync(file, "utf8").replace("</h1>", "</h2>"))
    await page.getByText("</h2>").first().waitFor()
    await takePicture(page, "edit", bothSchemes)
    await page.close()
  } finally {
    await dev.stop()
  }
}

async function pictureExplorer(browser, { shop }) {
  const explorer = new Command(shop, ["openapi", "serve", "--port", "0"])
  try {
    const [, address] = await explorer.waitForOutput(/(http:\/\/localhost:\d+\/docs)/)
    const page = await browser.newPage({ viewport: { width: 1100, height: 700 }, deviceScaleFactor: 1.5 })
    await page.goto(address)
    await page
      .getByRole("link", { name: /Changes a task/ })
      .first()
      .click()
    await page
      .getByRole("heading", { name: /Changes a task/ })
      .first()
      .waitFor()
    await takePicture(page, "explorer")
    await page.close()
  } finally {
    await explorer.stop()
  }
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), "fw-pictures-"))
  mkdirSync(picturesDirectory, { recursive: true })
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium"
  const args = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ]
  const browser = await chromium.launch({ executablePath, args, chromiumSandbox: false })
  try {
    const newProject = await createProject(folder)
    await pictureDev(browser, newProject)
    await pictureExplorer(browser, newProject)
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (isMain(import.meta.url)) await runScript(main)

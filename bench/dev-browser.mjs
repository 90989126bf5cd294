/**
 * Measures how long after a save the browser shows the change under `fw dev`. The project has 100 routes; a template is
 * saved 20 times, and so is a module that a page uses. A MutationObserver in the page takes the time. The bench fails
 * if the page is loaded again.
 *
 * It needs Chromium: the program in the variable CHROMIUM, or /usr/bin/chromium. Run it by hand after a build: node
 * bench/dev-browser.mjs
 */
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { chromium } from "playwright-core"
import { devTable, record } from "./support/record.mjs"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const editCount = 20
const pauseMs = 700

const createPage = (version) => `import { version } from "#lib/version.ts"

export const title = "Bench"

template Page() {
  <h1 id="template">template ${version}</h1>
  <p id="module">module {version}</p>
  <input id="name">
}
`
const createModule = (version) => `export const version = ${version}\n`
const createRoute = (index) => `import type { Context } from "fw"

export function Get(c: Context): Response {
  return c.json(200, { route: ${index} })
}
`
const layout = `template Layout(title: string) {
  <!doctype html>
  <html lang="en"><head><title>{title}</title></head><body>{children}</body></html>
}
`

/** Creates a project. @returns {string} its directory */
function makeProject() {
  const project = mkdtempSync(join(tmpdir(), "fw-bench-"))
  mkdirSync(join(project, "node_modules"))
  symlinkSync(root, join(project, "node_modules", "fw"))
  symlinkSync(join(root, "node_modules", "esbuild"), join(project, "node_modules", "esbuild"))
  const files = {
    "package.json": '{ "type": "module", "imports": { "#lib/*": "./lib/*" } }\n',
    "app/layout.tpl": layout,
    "app/page.tpl": createPage(0),
    "lib/version.ts": createModule(0),
  }
  for (let i = 0; i < 100; i++) files[`app/api/r${i}/route.ts`] = createRoute(i)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), text)
  }
  return project
}

/** @param {string} project @returns {Promise<{ child: import("node:child_process").ChildProcess, port: number }>} */
function startDev(project) {
  const args = [join(root, "dist", "bin", "fw.js"), "dev", "--port", "0"]
  const child = spawn(process.execPath, args, { cwd: project, stdio: ["ignore", "pipe", "ignore"] })
  return new Promise((resolve, reject) => {
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text
      const port = /Local: +http:\/\/localhost:(\d+)/.exec(output)?.[1]
      if (port) resolve({ child, port: Number(port) })
    })
    child.once("exit", (code) => reject(new Error(`fw dev ended with ${code}:\n${output}`)))
  })
}

/** Saves a file, and returns the milliseconds until the page shows the new text. */
async function measure(tab, save, text) {
  const shownTime = tab.evaluate((expectedText) => {
    return new Promise((resolve) => {
      new MutationObserver((_, self) => {
        if (!document.body.textContent.includes(expectedText)) return
        self.disconnect()
        resolve(performance.timeOrigin + performance.now())
      }).observe(document, { subtree: true, childList: true, characterData: true })
    })
  }, text)
  // This answer shows that the observer was installed before the save.
  await tab.evaluate("1")
  const startTime = performance.timeOrigin + performance.now()
  save()
  return (await shownTime) - startTime
}

/** @param {number[]} times */
function print(name, times) {
  const sorted = times.toSorted((a, b) => a - b)
  const getQuantile = (part) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0
  const [middle, min, max] = [0.5, 0, 1].map((part) => getQuantile(part).toFixed(1))
  console.log(`${name}, from the save to what the browser shows: median ${middle} ms, fastest ${min}, slowest ${max}`)
  record({
    ...devTable,
    rows: [{ row: `${name}, to what the browser shows`, values: { "fw dev": getQuantile(0.5) } }],
  })
}

const project = makeProject()
const { child, port } = await startDev(project)
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium"
const browser = await chromium.launch({
  executablePath,
  args: [...flags, "--disable-component-update", "--disable-sync"],
})
try {
  const tab = await browser.newPage()
  const eventsResponse = tab.waitForResponse((response) => response.url().endsWith("/__fw/events"))
  await tab.goto(`http://localhost:${port}/`)
  await eventsResponse
  await tab.fill("#name", "typed")
  const kinds = {
    template: { file: "app/page.tpl", text: createPage, getShownText: (version) => `template ${version}` },
    "module of a page": { file: "lib/version.ts", text: createModule, getShownText: (version) => `module ${version}` },
  }
  for (const [name, { file, text, getShownText }] of Object.entries(kinds)) {
    const times = []
    for (let version = 1; version <= editCount; version++) {
      await sleep(pauseMs)
      times.push(
        await measure(
          tab,
          () => writeFileSync(join(project, file), text(1000 + version)),
          getShownText(1000 + version),
        ),
      )
    }
    print(name, times)
  }
  if ((await tab.inputValue("#name")) !== "typed") throw new Error("the page was loaded again")
  console.log(`load ${loadavg()[0]?.toFixed(1)}`)
} finally {
  await browser.close()
  const exitPromise = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGTERM")
  await exitPromise
  rmSync(project, { recursive: true, force: true })
}

/** Tests how a new project looks: in a terminal of 80 columns, and in a browser on a phone and a desktop. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { stripVTControlCharacters } from "node:util"
import axe from "axe-core"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { copyNewProject, newUser, serving } from "../support/bin/new/packed.ts"
import { startBrowser } from "../support/browser.ts"

const user = await newUser()
const builder = fileURLToPath(new URL("../../tests/support/bin/css/css-standalone.mjs", import.meta.url))
const compiler = execFileSync(process.execPath, [builder], { encoding: "utf8" }).trim().split("\n").at(-1) as string
const env = { ...user.env, FW_CSS_BINARY: compiler }

const seen = suite("as seen")

/** Runs a command in a pseudo-terminal of 80 columns, and types keys when a text is shown. */
async function typed(command: string, answers: readonly (readonly [shown: string, keys: string])[]) {
  const child = spawn("script", ["-qec", `stty cols 80 rows 40; ${command}`, "/dev/null"], {
    cwd: user.folder,
    env: { ...env, TERM: "xterm-256color", SHELL: "/bin/sh" } as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "inherit"],
  })
  let text = ""
  const left = [...answers]
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk
    const next = left[0]
    if (next && stripVTControlCharacters(text).includes(next[0])) {
      left.shift()
      child.stdin.write(next[1])
    }
  })
  const [code] = await once(child, "close")
  return { code: code as number, text: stripVTControlCharacters(text) }
}

seen("fw new asks for a number, and shows its progress", async () => {
  const { code, text } = await typed("npx fw new asked", [["Number (1)", "2\r"]])
  assert.is(code, 0, text)
  assert.match(text, "What do you want to create?")
  assert.match(text, "Installing packages")
  assert.ok(existsSync(join(user.folder, "asked/main.ts")))
  assert.is(existsSync(join(user.folder, "asked/app/page.tpl")), false)
})

seen("Ctrl-C at the question or during the work leaves nothing", async () => {
  for (const answers of [
    [["Number (1)", "\x03"]],
    [["Number (1)", "\x04"]],
    [
      ["Number (1)", "\r"],
      ["Installing packages", "\x03"],
    ],
  ] as const) {
    const { code, text } = await typed("npx fw new stopped", answers)
    assert.is.not(code, 0, text)
    assert.equal(
      readdirSync(user.folder).filter((name) => name.includes("stopped")),
      [],
      text,
    )
  }
})

/** Code that returns the names of the problems that axe finds, with their elements. */
const audit =
  "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))"

/** A form as a reader of the guides would first write it. */
const plainPage = `export const title = "Plain"

template Page() {
  <p role="status">Saved.</p>
  <h1>Plain</h1>
  <form method="post">
    <p role="alert">Nothing was sent.</p>
    <label>Name <input name="name"></label>
    <label>Message <textarea name="message"></textarea></label>
    <label>Photo <input type="file" name="photo"></label>
    <label><input type="checkbox" name="news"> Send news</label>
    <button>Send</button>
    <button disabled>Sent</button>
  </form>
  <table>
    <thead><tr><th scope="col">Ticket</th><th scope="col">Customer</th><th scope="col">Priority</th></tr></thead>
    <tbody><tr><td>The printer hums</td><td>ada.lovelace.of.the.analytical.engine@example.com</td><td>normal</td></tr></tbody>
  </table>
}
`

/** Code that returns the elements of the plain page that cannot be seen without styles. */
const unseen = `[...document.querySelectorAll("input:not([type=checkbox]), textarea, button")].filter((element) => {
  const { borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(element)
  return borderTopWidth !== "1px" || borderTopColor === backgroundColor || element.offsetHeight < 44
}).map(({ outerHTML }) => outerHTML)`

/** Code that returns the styles by which a person recognizes a disabled button and the edge of a table cell. */
const looks = `({
  opacity: ["button:enabled", "button:disabled"].map((name) => getComputedStyle(document.querySelector(name)).opacity),
  lines: ["th", "td"].map((name) => getComputedStyle(document.querySelector(name)).borderBottomWidth),
})`

seen("the pages of a new project fit a phone and a desktop, in light and dark, and htmx works", async () => {
  const cwd = join(user.folder, "shop")
  await copyNewProject(cwd)
  const command = join(cwd, "node_modules/.bin/fw")
  mkdirSync(join(cwd, "app/plain"))
  writeFileSync(join(cwd, "app/plain/page.tpl"), plainPage)
  await user.run([command, "css", "build"], { cwd, env })
  const browser = await startBrowser()
  try {
    await serving(
      (onLine) => user.start([command, "dev", "--port", "0"], { cwd, env, onLine }),
      /Local: +http:\/\/localhost:(\d+)/,
      async (port) => {
        const { page, close } = await browser.page({ expected: /status of 404/ })
        for (const [width, height] of [
          [360, 740],
          [1280, 860],
        ] as const) {
          await page.setViewportSize({ width, height })
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme })
            for (const path of ["/", "/nothing", "/plain"]) {
              const what = `${path} at ${width}, ${colorScheme}`
              await page.goto(`http://localhost:${port}${path}`)
              assert.is(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, what)
              await page.evaluate(axe.source)
              assert.equal(await page.evaluate(audit), [], what)
            }
            assert.equal(await page.evaluate(unseen), [], `${width}, ${colorScheme}`)
            assert.equal(await page.evaluate(looks), { opacity: ["1", "0.5"], lines: ["1px", "1px"] })
            const size = await page.evaluate('parseFloat(getComputedStyle(document.querySelector("h1")).fontSize)')
            assert.ok(Number(size) > 24, `the heading has ${size} px`)
            // A message is not wider than the form below it.
            assert.is(
              await page.evaluate(
                '["[role=status]", "form"].map((name) => document.querySelector(name).offsetWidth).every((width) => width <= 576)',
              ),
              true,
            )
          }
        }
        await page.goto(`http://localhost:${port}/`)
        await page.evaluate('document.querySelector("#clock time").dateTime = "old"')
        await page.getByRole("link", { name: "Ask the server" }).click()
        await page.waitForSelector('#clock time:not([datetime="old"])')
        assert.is(await page.locator("main").count(), 1)
        await close()
      },
    )
  } finally {
    await browser.stop()
  }
})

seen.run()

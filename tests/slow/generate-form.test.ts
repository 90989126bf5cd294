/**
 * Tests of `fw generate form` with every schema library in one project: the types, the generated tests, and the
 * form in Chromium.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import axe from "axe-core"
import { build } from "esbuild"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { readScaffoldFiles, renderPackageJSON } from "../../bin/new/scaffold.ts"
import type { App } from "../../lib/index.ts"
import type { Server } from "../../lib/platform.ts"
import { fw, project, runNode } from "../support/bin/cli/command.ts"
import { startBrowser, type TestBrowser } from "../support/browser.ts"
import { importAs, packageDirectory } from "../support/packages.ts"

/**
 * The dependencies in package.json by the name of the library. The form for Zod 3 uses functions that Zod 4 has
 * deprecated.
 */
const libraries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  zod: { zod: "^4.0.0" },
  zod3: { zod: "^3.25.0" },
  valibot: { valibot: "^1.0.0" },
  arktype: { arktype: "^2.1.0" },
  none: {},
}
const every = "name,email,bio:long,age:number,terms:checkbox,password,photo:file"

/** Creates a project as `fw new` does, with packages from npm. */
async function createProject(): Promise<string> {
  const options = { name: "forms", template: "full-stack" as const, versions: {} }
  const files = await readScaffoldFiles(options)
  const cwd = project(
    Object.fromEntries(files.flatMap(({ file, content }) => (typeof content === "string" ? [[file, content]] : []))),
  )
  for (const { file, content } of files) {
    if (typeof content === "string") continue
    mkdirSync(dirname(join(cwd, file)), { recursive: true })
    writeFileSync(join(cwd, file), content)
  }
  const packages = { zod: "^4.0.0", valibot: "^1.0.0", arktype: "^2.1.0" }
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ private: true, dependencies: packages }))
  npm(cwd)
  mkdirSync(join(cwd, "app/zod3"))
  const old = { type: "module", private: true, dependencies: { zod: "^3.25.0" } }
  writeFileSync(join(cwd, "app/zod3/package.json"), JSON.stringify(old))
  npm(join(cwd, "app/zod3"))
  for (const name of ["fw", "typescript", "@typescript", "@types", "undici-types"])
    symlinkSync(packageDirectory(name), join(cwd, "node_modules", name))
  manifest = JSON.parse(renderPackageJSON(options, "*"))
  return cwd
}

function npm(cwd: string): void {
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd, stdio: "ignore" })
}

let manifest: Readonly<Record<string, unknown>>
let cwd: string
let server: Server
let browser: TestBrowser

const forms = suite("fw generate form")

forms.before(async () => {
  cwd = await createProject()
})
forms.after(async () => {
  await browser?.stop()
  await server?.shutdown()
})

for (const [name, dependencies] of Object.entries(libraries)) {
  forms(`${name}: a form with the usual fields and one with all types of fields are written`, async () => {
    writeFileSync(join(cwd, "package.json"), JSON.stringify({ ...manifest, dependencies }))
    const plain = await fw(["generate", "form", `${name}/contact`, "--json"], { cwd })
    const { library, csrf } = JSON.parse(plain.stdout).data
    assert.equal([library, csrf], [name === "none" ? null : name.replace("3", ""), true])
    const all = await fw(["generate", "form", `${name}/users/[id]`, "--fields", every], { cwd })
    assert.is(all.code, 0, all.stderr)
  })
}

forms("the generated forms pass the type check and fw validate", async () => {
  const generated = await fw(["generate", "templates"], { cwd })
  assert.is(generated.code, 0, generated.stderr)
  const tsc = await runNode([join(packageDirectory("typescript"), "bin/tsc"), "--noEmit"], { cwd })
  assert.equal([tsc.code, tsc.stdout], [0, ""])
  assert.equal(JSON.parse((await fw(["validate", "--json"], { cwd })).stdout).data.problems, [])
})

forms("the generated tests of every form pass", async () => {
  const names = Object.keys(libraries).flatMap((name) => [`${name}-contact`, `${name}-users-id`])
  await build({
    entryPoints: names.map((name) => join(cwd, `tests/${name}-form.test.ts`)),
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    outdir: join(cwd, ".fw/tests"),
    logLevel: "warning",
  })
  const files = names.map((name) => join(cwd, `.fw/tests/${name}-form.test.js`))
  const { code, stdout } = await runNode(["--test", "--test-reporter=tap", ...files], { cwd })
  assert.is(code, 0, stdout)
  assert.match(stdout, `# pass ${5 * names.length}\n`)
})

forms(
  "in Chromium the form has labels and messages at its fields, works with the keyboard, and axe finds no problem",
  async () => {
    const outfile = join(cwd, ".fw/tests/app.mjs")
    await build({
      entryPoints: [join(cwd, "tests/support/app.ts")],
      bundle: true,
      format: "esm",
      platform: "node",
      packages: "external",
      outfile,
    })
    const { app } = (await import(pathToFileURL(outfile).href)) as { app: App }
    const { serve } = await importAs<typeof import("../../adapters/node.ts")>(cwd, "fw/node")
    server = await serve(app, { host: "127.0.0.1", port: 0 })
    browser = await startBrowser()
    // The project has no compiled styles, so the request for them fails.
    const { page, close } = await browser.page({ expected: /status of (?:404|422)|Refused to/ })
    const url = `http://localhost:${server.addr.split(":").at(-1)}/zod/users/1`
    const findings = async () => {
      await page.evaluate(axe.source)
      return page.evaluate("axe.run().then(({ violations }) => violations.map(({ id }) => id))")
    }
    await page.goto(url)
    assert.equal(await findings(), [])
    await page.getByLabel("Name").focus()
    for (const keys of ["Ada", "ada@example", "A text.", "42", " ", "correct-horse-battery"]) {
      await page.keyboard.type(keys)
      await page.keyboard.press("Tab")
    }
    const photo = { name: "ada.png", mimeType: "image/png", buffer: Buffer.from("no image") }
    await page.getByLabel("Photo").setInputFiles(photo)
    await page.getByRole("button", { name: "Send" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("alert").waitFor()
    assert.equal(await findings(), [])
    const email = page.getByLabel("Email")
    assert.is(await email.getAttribute("aria-invalid"), "true")
    assert.is(await page.getByRole("textbox", { description: "Write an email address" }).inputValue(), "ada@example")
    assert.is(await page.locator("#photo-issue").innerText(), "Only images are allowed.")
    const shown = await page
      .locator("input:not([type=file]), textarea")
      .evaluateAll((inputs) => inputs.map((input) => (input as unknown as { value: string }).value))
    assert.equal(shown, ["Ada", "ada@example", "A text.", "42", "on", ""])
    assert.is(await page.getByLabel("Terms").isChecked(), true)
    await email.fill("ada@example.com")
    await page.getByLabel("Password").fill("correct-horse-battery")
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    await page.getByLabel("Photo").setInputFiles({ ...photo, buffer: png })
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByRole("status").waitFor()
    assert.is(await page.getByRole("status").innerText(), "Thank you. The form was sent.")
    assert.equal(await findings(), [])
    await close()
  },
)

forms.run()

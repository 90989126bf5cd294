/** The packed package in an empty folder: one package, no install script, and the README's example runs there. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { project } from "../support/command.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const folder = project({ "package.json": '{"name":"empty","private":true,"type":"module"}\n' })

/** Runs a program to its end; what it prints is only of interest when it fails. */
async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] })
  let text = ""
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk
  })
  let complaint = ""
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    complaint += chunk
  })
  const [code] = await once(child, "close")
  assert.is(code, 0, `${command} ${args.join(" ")}\n${text}${complaint}`)
  return text
}

interface Packed {
  readonly filename: string
  readonly size: number
  readonly files: ReadonlyArray<{ readonly path: string }>
}

let packed: Packed

/** The program, what new projects and `fw generate auth` are made of, the documentation. */
const belongs =
  /^(?:dist\/(?:bin|lib|adapters|vendor|explorer)|scaffold|docs|examples\/auth\/(?:app|lib))\/|^examples\/auth\/package\.json$|^[^/]+$/

test("npm pack takes what is needed and stays under 2 MB", async () => {
  // The build is the test run's own: packing must not build under the feet of other tests.
  const text = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], root)
  packed = (JSON.parse(text) as Packed[])[0] as Packed
  assert.ok(packed.size < 2_000_000, `${packed.size} bytes`)
  const paths = packed.files.map(({ path }) => path)
  for (const path of [
    "package.json",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "dist/bin/fw.js",
    "dist/lib/index.d.ts",
    "dist/vendor/urlpattern.js",
  ]) {
    assert.ok(paths.includes(path), `${path} is not in the package`)
  }
  const strangers = paths.filter((path) => path.endsWith(".map") || !belongs.test(path))
  assert.equal(strangers, [])
})

test("installs as one package without an install script", async () => {
  await run("npm", ["install", "--ignore-scripts=false", `./${packed.filename}`], folder)
  assert.equal(
    readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".")),
    ["fw"],
  )
  const { scripts = {}, dependencies } = JSON.parse(
    readFileSync(join(folder, "node_modules/fw/package.json"), "utf8"),
  )
  assert.equal(dependencies, {})
  for (const name of ["preinstall", "install", "postinstall"]) assert.not.ok(name in scripts)
  assert.ok(statSync(join(folder, "node_modules/.bin/fw")).mode & 0o100)
  assert.match(await run("npx", ["--no-install", "fw", "--version"], folder), /^fw \d+\.\d+\.\d+/)
})

test("the README's example runs with fw dev", async () => {
  await run("npm", ["install", "-D", "esbuild"], folder)
  const example = /```ts\n\/\/ main\.ts\n([\s\S]*?)```/.exec(
    readFileSync(join(root, "README.md"), "utf8"),
  )?.[1] as string
  writeFileSync(join(folder, "main.ts"), example)
  const child = spawn(
    process.execPath,
    [join(folder, "node_modules/fw/dist/bin/fw.js"), "dev", "--port", "0"],
    { cwd: folder, stdio: ["ignore", "pipe", "pipe"] },
  )
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let text = ""
      const take = (chunk: Buffer) => {
        text += String(chunk)
        const found = /http:\/\/localhost:\d+/.exec(text)
        if (found) resolve(found[0])
      }
      child.stdout.on("data", take)
      child.stderr.on("data", take)
      child.once("close", () => reject(new Error(`fw dev ended:\n${text}`)))
    })
    const found = await fetch(`${url}/users/1`)
    assert.is(found.status, 200)
    assert.equal(await found.json(), { id: "1", name: "Ada" })
    const missing = await fetch(`${url}/users/2`)
    assert.is(missing.status, 404)
    assert.equal(await missing.json(), { error: "not_found", message: "no such user" })
  } finally {
    child.kill("SIGTERM")
    await once(child, "close")
  }
})

test.run()

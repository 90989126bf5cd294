/**
 * Tests of a project with native code and CommonJS in an executable: real packages from the registry, unpacked to a
 * private directory.
 */
import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { nodeAbi, nodeVersion } from "../../bin/build/executable/node-release.ts"
import { build, serve } from "../support/bin/build/executables.ts"
import { project } from "../support/bin/cli/command.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"

const cwd = makeProject(
  {
    "package.json": '{ "name": "native", "type": "module", "private": true }\n',
    "app/api/db/route.ts": `import { createClient } from "@libsql/client"
import type { Context } from "fw"

const db = createClient({ url: ":memory:" })

export async function Get(c: Context): Promise<Response> {
  const { rows } = await db.execute("select 20 + 22 as answer")
  return c.json(200, rows[0]?.answer)
}
`,
    "app/api/common/route.ts": `import express from "express"
import type { Context } from "fw"

export function Get(c: Context): Response {
  return c.json(200, [express.name, typeof express().use])
}
`,
  },
  ["fw", "esbuild"],
)
const binary = join(cwd, "bin/native")
const home = project({})
const env = { HOME: home, FW_LOG_LEVEL: "off", PATH: "/nonexistent" }

test("a project with an addon and CommonJS dependencies is built", async () => {
  // fw is linked and does not come from the registry, so npm must not remove it.
  execFileSync("npm", ["install", "--no-save", "--no-audit", "--no-fund", "@libsql/client@0.17", "express@5"], {
    cwd,
    stdio: "ignore",
  })
  const link = makeProject({}, ["fw", "esbuild"])
  for (const name of ["fw", "esbuild"]) {
    if (!existsSync(join(cwd, "node_modules", name))) {
      execFileSync("cp", ["-P", join(link, "node_modules", name), join(cwd, "node_modules", name)])
    }
  }
  const { code, stdout, stderr } = await build(cwd, ["--json"])
  assert.is(code, 0, stdout + stderr)
})

async function answers(environment: Readonly<Record<string, string>>): Promise<void> {
  const served = await serve([binary], project({}), environment)
  assert.is(await (await fetch(`${served.url}/api/db`)).json(), 42)
  assert.equal(await (await fetch(`${served.url}/api/common`)).json(), ["createApplication", "function"])
  assert.is(await served.stop(), 0)
}

const place = join(home, ".cache", `fw-packages-${process.getuid?.()}`)
const unpacked = () => join(place, readdirSync(place)[0] as string)
const addon = () => join(unpacked(), "node_modules/@libsql/linux-x64-gnu/index.node")

test("the version of addons that fw expects is that of the Node in the executable", () => {
  const node = join(homedir(), ".cache/fw/node", `node-v${nodeVersion}-linux-amd64`)
  assert.is(execFileSync(node, ["-p", "process.versions.modules"], { encoding: "utf8" }).trim(), String(nodeAbi))
})

test("the executable runs without packages next to it, and unpacks addons to a private directory", async () => {
  await answers(env)
  assert.is(statSync(place).mode & 0o777, 0o700)
  assert.is(readdirSync(place).length, 1)
  assert.equal(readdirSync(join(unpacked(), "node_modules")).sort(), ["@libsql", "@neon-rs", "detect-libc", "libsql"])
  // Only the package for the C library of this Node is included.
  assert.equal(readdirSync(join(unpacked(), "node_modules/@libsql")), ["linux-x64-gnu"])
})

test("an unpacked file is written again only if it was changed or removed", async () => {
  const bytes = readFileSync(addon())
  const { ino } = statSync(addon())
  await answers(env)
  assert.is(statSync(addon()).ino, ino)
  writeFileSync(addon(), "malware")
  await answers(env)
  assert.is(Buffer.compare(readFileSync(addon()), bytes), 0)
  rmSync(addon())
  await answers(env)
  assert.is(Buffer.compare(readFileSync(addon()), bytes), 0)
})

test("several executables that start at the same time leave no partial file", async () => {
  rmSync(place, { recursive: true })
  await Promise.all([answers(env), answers(env), answers(env)])
  const left: string[] = []
  for (const name of readdirSync(unpacked(), { recursive: true }))
    if (String(name).includes("partial")) left.push(String(name))
  assert.equal(left, [])
})

test("a directory to which other users may write is not used, and if there is no other one, the error says so", async () => {
  chmodSync(place, 0o777)
  const temporary = project({})
  await answers({ ...env, TMPDIR: temporary })
  assert.equal(readdirSync(temporary), [`fw-packages-${process.getuid?.()}`])
  const nowhere = { ...env, TMPDIR: join(home, "a-file"), XDG_CACHE_HOME: join(home, "a-file") }
  writeFileSync(join(home, "a-file"), "")
  const error = await serve([binary], project({}), nowhere).then(
    () => assert.unreachable("the executable started") as never,
    (failure: Error) => failure,
  )
  assert.match(error.message, /cannot be unpacked[\s\S]*set XDG_CACHE_HOME/)
  const cache = join(project({}), "cache")
  mkdirSync(cache)
  await answers({ ...env, XDG_CACHE_HOME: cache })
  assert.is(readdirSync(cache).length, 1)
})

test("for another machine, the error names the package without code and the command that installs it", async () => {
  const { code, stdout } = await build(cwd, ["--os", "linux", "--arch", "arm64", "--json"])
  const { error } = JSON.parse(stdout)
  assert.equal([code, error.code], [1, "native_machine"])
  assert.match(error.message, /^libsql has native code, but none for linux\/arm64/)
  assert.match(error.fix, /npm install .*--os=linux --cpu=arm64 libsql/)
})

test("--target node puts the packages next to the bundle", async () => {
  const { code, stderr } = await build(cwd, ["--target", "node"])
  assert.is(code, 0, stderr)
  assert.ok(existsSync(join(cwd, "dist/node/node_modules/@libsql/linux-x64-gnu/index.node")))
  const served = await serve([process.execPath, join(cwd, "dist/node/server.mjs")], tmpdir(), env)
  assert.is(await (await fetch(`${served.url}/api/db`)).json(), 42)
  assert.is(await served.stop(), 0)
})

test.run()

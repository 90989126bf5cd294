/** Tests of `fw new .`: it creates a project in the current directory, or leaves the directory as it was. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { EmptyDirectory } from "../../bin/new/empty-directory.ts"
import { fwNew, machine, readTexts } from "../support/bin/new/new-world.ts"

/** Returns an environment and an empty current directory with this name. */
function folder(name: string, options: Parameters<typeof machine>[0] = {}) {
  const world = machine(options)
  const cwd = join(world.cwd, name)
  mkdirSync(cwd)
  return { ...world, cwd, parent: world.cwd }
}

/** Hides the secret, which differs in each project. */
function withoutSecret({ ".env": env = "", ...texts }: Record<string, string>): Record<string, string> {
  return { ...texts, ".env": env.replace(/^FW_SECRETS="[\w+/]{64}"$/m, "FW_SECRETS=…") }
}

test("fw new . writes the same files as fw new with a name, and commits them", async () => {
  const other = machine()
  await fwNew(["shop", "--skip-prompts"], other)
  const here = folder("shop")
  const { code, stdout, stderr } = await fwNew([".", "--skip-prompts"], here)
  assert.is(code, 0, stderr)
  assert.match(stdout, /shop is ready.\n\n {4}npm run dev/)
  assert.equal(withoutSecret(readTexts(here.cwd)), withoutSecret(readTexts(join(other.cwd, "shop"))))
  const git = (...args: string[]) => execFileSync("git", args, { cwd: here.cwd, env: here.env, encoding: "utf8" })
  assert.is(git("log", "--format=%s"), "Start shop with fw\n")
  assert.is(git("status", "--porcelain"), "")
  assert.equal(readdirSync(here.parent), ["shop"])
})

test("the package gets a valid name from the directory", async () => {
  const here = folder("My Shop")
  const { data } = JSON.parse((await fwNew([".", "--json"], here)).stdout)
  assert.equal([data.name, data.directory], ["my-shop", here.cwd])
  assert.is(JSON.parse(readFileSync(join(here.cwd, "package.json"), "utf8")).name, "my-shop")
})

test("a directory that is not empty is refused and not changed", async () => {
  const here = folder("shop")
  writeFileSync(join(here.cwd, "notes.txt"), "mine")
  const { error } = JSON.parse((await fwNew([".", "--json"], here)).stdout)
  assert.equal([error.code, error.message], ["exists", "this directory is not empty: it contains notes.txt"])
  assert.equal(readdirSync(here.cwd), ["notes.txt"])
})

test("warnings name commands without cd", async () => {
  const { stdout } = await fwNew([".", "--skip-prompts"], folder("shop", { npm: false, name: false }))
  assert.match(stdout, /Then run:\n {4}npm install\n/)
  assert.match(stdout, /\n {4}git commit -m "Start"\n/)
  assert.not.match(stdout, "cd ")
})

test("Ctrl-C during fw new . leaves the directory empty", async () => {
  const here = folder("shop")
  const controller = new AbortController()
  const running = fwNew([".", "--skip-prompts"], { ...here, signal: controller.signal })
  while (!existsSync(join(here.cwd, "app/page.tpl"))) await new Promise((resolve) => setImmediate(resolve))
  controller.abort()
  assert.equal([(await running).code, readdirSync(here.cwd)], [130, []])
})

test("a file that another program writes meanwhile is neither overwritten nor removed", async () => {
  const { cwd } = folder("shop")
  const directory = EmptyDirectory.open(cwd)
  await directory.write("app/page.tpl", "ours")
  await directory.write("lib/site.ts", "ours")
  writeFileSync(join(cwd, "main.ts"), "theirs")
  writeFileSync(join(cwd, "lib/theirs.ts"), "theirs")
  writeFileSync(join(cwd, "app/page.tpl.ts"), "generated")
  const error = await directory.write("main.ts", "ours").catch((reason: unknown) => reason)
  assert.is((error as { code?: string }).code, "exists")
  await directory.remove()
  assert.equal(readdirSync(cwd, { recursive: true }).sort(), ["lib", "lib/theirs.ts", "main.ts"])
  assert.is(readFileSync(join(cwd, "main.ts"), "utf8"), "theirs")
})

test.run()

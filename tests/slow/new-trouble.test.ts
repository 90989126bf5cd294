/**
 * Tests of `fw new` with obstacles and missing programs: the project is complete or does not exist, and the message
 * says what to do.
 */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fwNew, machine } from "../support/bin/new/new-world.ts"

const ways = suite("what is in the way")

for (const [what, prepare, message] of [
  ["a file", (path: string) => writeFileSync(path, "mine"), "shop already exists, and it is not a directory"],
  ["a link", (path: string) => symlinkSync("/nowhere", path), "shop already exists, and it is not a directory"],
  [
    "a directory that is not empty",
    (path: string) => {
      for (const name of ["a", "b", "c"]) mkdirSync(join(path, name), { recursive: true })
    },
    "shop already exists, and it is not empty: it contains a and 2 more",
  ],
] as const) {
  ways(`${what} with the name of the project is an error, and is not changed`, async () => {
    const world = machine()
    prepare(join(world.cwd, "shop"))
    const { code, stdout } = await fwNew(["shop", "--json"], world)
    assert.is(code, 1)
    const { error } = JSON.parse(stdout)
    assert.equal([error.code, error.message], ["exists", message])
    assert.equal(readdirSync(world.cwd), ["shop"])
  })
}

ways("an empty directory with the name of the project is used", async () => {
  const world = machine()
  mkdirSync(join(world.cwd, "shop"))
  assert.is((await fwNew(["shop", "--skip-prompts"], world)).code, 0)
  assert.ok(existsSync(join(world.cwd, "shop/main.ts")))
  assert.equal(readdirSync(world.cwd), ["shop"])
})

ways("a working directory that does not exist is an error", async () => {
  const world = machine()
  const { code, stdout } = await fwNew(["shop", "--json"], { ...world, cwd: join(world.cwd, "gone") })
  assert.is(code, 1)
  const { error } = JSON.parse(stdout)
  assert.is(error.code, "new_write")
  assert.match(error.message, /^shop cannot be created in .*gone: ENOENT: no such file or directory$/)
})

ways("files of a killed run are removed, and files of a running one are not", async () => {
  const world = machine()
  const host = hostname().replace(/[^\w-]/g, "-")
  const partial = (pid: number) => `.shop.${host}.${pid}.0123456789ab.partial`
  for (const pid of [4_194_305, process.pid]) {
    mkdirSync(join(world.cwd, partial(pid), "node_modules"), { recursive: true })
    writeFileSync(join(world.cwd, partial(pid), "node_modules/x"), "")
  }
  assert.is((await fwNew(["shop", "--skip-prompts"], world)).code, 0)
  assert.equal(readdirSync(world.cwd).sort(), [partial(process.pid), "shop"])
})

ways("of two runs at the same time, one creates the project and the other reports it", async () => {
  const world = machine()
  const runs = await Promise.all([1, 2].map(() => fwNew(["shop", "--json"], world)))
  assert.equal(runs.map(({ code }) => code).sort(), [0, 1])
  const { error } = JSON.parse(runs.find(({ code }) => code === 1)?.stdout ?? "")
  assert.is(error.code, "exists")
  assert.equal(readdirSync(world.cwd), ["shop"])
})

interface Found {
  readonly git: string
  readonly installed: boolean
  readonly warnings: readonly { code: string; message: string; fix: string }[]
}

for (const [what, options, expected] of [
  [
    "no git",
    { git: false },
    { git: "none", code: "git", message: "git is not installed, so the project has no repository" },
  ],
  [
    "git without a name",
    { name: false },
    {
      git: "initialized",
      code: "git_name",
      message: "git does not know who you are, so nothing was committed",
    },
  ],
  [
    "no npm",
    { npm: false },
    {
      git: "committed",
      code: "not_installed",
      message: "the packages are not installed: npm is not installed, or not in PATH",
    },
  ],
  [
    "no network",
    { env: { FAKE_INSTALL_ERROR: "ENOTFOUND" } },
    {
      git: "committed",
      code: "not_installed",
      message: "the packages are not installed: the package registry cannot be reached",
    },
  ],
  [
    "an npm that fails",
    { env: { FAKE_INSTALL_ERROR: "EUSAGE" } },
    {
      git: "committed",
      code: "not_installed",
      message: "the packages are not installed: npm install ended with exit code 1:\nnpm error code EUSAGE",
    },
  ],
] as const) {
  ways(`${what} causes a warning, and the project is complete`, async () => {
    const world = machine(options)
    const ran = await fwNew(["shop", "--json"], world)
    assert.is(ran.code, 0, ran.stdout)
    const data = JSON.parse(ran.stdout).data as Found
    const { git, code, message } = expected
    assert.equal([data.git, data.warnings.map((one) => [one.code, one.message])], [git, [[code, message]]])
    assert.match(data.warnings[0]?.fix ?? "", "cd shop && ")
    const root = join(world.cwd, "shop")
    assert.ok(existsSync(join(root, "main.ts")) && existsSync(join(root, ".fw/routes.ts")))
    assert.is(existsSync(join(root, "node_modules")), data.installed)
    assert.is(data.installed, code !== "not_installed")
  })
}

ways("a warning says what to do", async () => {
  const { stdout } = await fwNew(["shop", "--skip-prompts"], machine({ npm: false, name: false }))
  assert.match(
    stdout,
    `
warning: the packages are not installed: npm is not installed, or not in PATH
  Install npm. It comes with Node: https://nodejs.org/en/download. Then run:
    cd shop && npm install

warning: git does not know who you are, so nothing was committed
  Set your name, then commit the files that are staged:
    git config --global user.name "Your Name"
    git config --global user.email you@example.com
    cd shop && git commit -m "Start"

  shop is ready.

    cd shop
    npm install
    npm run dev `,
  )
})

ways("inside a git repository no second one is created, also if GIT_DIR names another one", async () => {
  const world = machine()
  execFileSync("git", ["init", "-q"], { cwd: world.cwd, env: world.env })
  const env = { ...world.env, GIT_DIR: "/nowhere", GIT_WORK_TREE: "/nowhere" }
  const { data } = JSON.parse((await fwNew(["shop", "--json"], { ...world, env })).stdout)
  assert.equal([data.git, data.warnings], ["outer", []])
  assert.is(existsSync(join(world.cwd, "shop/.git")), false)
})

ways("Ctrl-C during fw new leaves no files", async () => {
  const world = machine()
  const controller = new AbortController()
  const running = fwNew(["shop", "--skip-prompts"], { ...world, signal: controller.signal })
  setImmediate(() => controller.abort())
  assert.equal([(await running).code, readdirSync(world.cwd)], [130, []])
})

ways.run()

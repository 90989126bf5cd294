/** Tests of what `fw new` writes, and of where a project gets its fw from, without a network and a registry. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { packOwnPackage, readOwnManifest } from "../../bin/project/own-package.ts"
import { fw } from "../support/bin/cli/command.ts"
import { fwNew, linkPackages, machine, readTexts } from "../support/bin/new/new-world.ts"
import { readExamples } from "../support/docs/documents.ts"
import { compile } from "../support/tsc.ts"

const { version } = await readOwnManifest()

const written = suite("what is written")

const common = [
  ".dockerignore",
  ".editorconfig",
  ".env",
  ".env.example",
  ".github/workflows/test.yml",
  ".gitignore",
  ".vscode/extensions.json",
  ".vscode/launch.json",
  ".vscode/settings.json",
  ".yarnrc.yml",
  "AGENTS.md",
  "Dockerfile",
  "README.md",
  "app/api/health/route.ts",
  "main.ts",
  "package.json",
  "pnpm-workspace.yaml",
  "tests/api.test.ts",
  "tests/support/app.ts",
  "tsconfig.json",
]
const pages = [
  "app/_components/message.tpl",
  "app/error.tpl",
  "app/layout.tpl",
  "app/not-found.tpl",
  "app/page.tpl",
  "assets/browser.d.ts",
  "assets/tsconfig.json",
  "lib/site.ts",
  "static/favicon.svg",
  "static/vendor/htmx-4.0.1.LICENSE.txt",
  "static/vendor/htmx-4.0.1.min.js",
  "styles/input.css",
  "tests/pages.test.ts",
]

for (const [template, flags, files] of [
  ["full-stack", ["--skip-prompts"], [...common, ...pages].sort()],
  ["api", ["--api-only"], common],
] as const) {
  written(`${template}: the project has all its files, its name, a commit and no type errors`, async () => {
    const world = machine()
    const { code, stdout, stderr } = await fwNew(["my-shop", "--json", ...flags], world)
    assert.is(code, 0, stderr)
    const directory = join(world.cwd, "my-shop")
    const tarball = `vendor/fw-${version}.tgz`
    assert.equal(JSON.parse(stdout), {
      success: true,
      data: {
        name: "my-shop",
        directory,
        template,
        files: [...files, tarball].sort(),
        fw: `file:${tarball}`,
        installed: true,
        git: "committed",
        warnings: [],
      },
    })
    const texts = readTexts(directory)
    assert.equal(Object.keys(texts).sort(), [...files, "package-lock.json"].sort())
    for (const [file, text] of Object.entries(texts)) {
      if (file.startsWith("static/vendor/")) continue
      assert.match(text, /[^\n]\n$/, `${file} does not end with one line break`)
      assert.not.match(text, /my-app|My app|<!-- (?:full-stack|api|end)/, file)
    }
    assert.equal(readdirSync(world.cwd), ["my-shop"])
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: directory, env: world.env, encoding: "utf8" }).trim()
    assert.is(git("log", "--format=%an %s"), "Ada Start my-shop with fw")
    assert.is(git("branch", "--show-current"), "main")
    assert.is(git("status", "--porcelain"), "")
    const committed = files.filter((file) => file !== ".env")
    assert.equal(git("ls-files").split("\n").sort(), [...committed, tarball, "package-lock.json"].sort())

    rmSync(join(directory, "node_modules"), { recursive: true })
    linkPackages(directory)
    // Agents copy the code that AGENTS.md shows.
    for (const { file, code } of readExamples("AGENTS.md", texts["AGENTS.md"] as string)) {
      const path = join(directory, file.replace("AGENTS/", ""))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, code)
    }
    const block = /```tpl\n([\s\S]*?)```/.exec(texts["AGENTS.md"] as string)?.[1]
    assert.is(block !== undefined, template === "full-stack")
    if (block) writeFileSync(join(directory, "app/agents.tpl"), block)
    const generated = await fw(["generate", "templates"], { cwd: directory })
    assert.is(generated.code, 0, generated.stderr)
    assert.equal(await compile(directory), [])
  })
}

written("a project has the same htmx as the example, with its licence", () => {
  for (const file of pages.filter((file) => file.includes("htmx"))) {
    const [ours, example] = ["scaffold/full-stack", "examples/tasks"].map((place) =>
      readFileSync(join(place, file), "utf8"),
    )
    assert.is(ours, example)
  }
})

written("package.json has the expected scripts, packages and name", async () => {
  const world = machine()
  await fwNew(["shop", "--skip-prompts"], world)
  const manifest = JSON.parse(readFileSync(join(world.cwd, "shop/package.json"), "utf8"))
  assert.equal(Object.keys(manifest.scripts).sort(), [
    "build",
    "check",
    "dev",
    "prepare",
    "start",
    "test",
    "test:watch",
  ])
  assert.equal(Object.keys(manifest.dependencies), ["fw"])
  const own = (await readOwnManifest()).devDependencies
  assert.equal(Object.keys(manifest.devDependencies), ["@types/node", "esbuild", "typescript"])
  for (const [name, range] of Object.entries(manifest.devDependencies)) assert.is(range, own[name])
})

written("nothing is asked with --skip-prompts, --api-only and --json, or without a terminal", async () => {
  for (const [args, isTerminal, template] of [
    [["--skip-prompts"], true, "full-stack"],
    [["--api-only"], true, "api"],
    [["--json"], true, "full-stack"],
    [[], false, "full-stack"],
  ] as const) {
    const world = machine({ git: false })
    const { code, stdout, stderr } = await fwNew(["shop", ...args], { ...world, isTerminal, input: "" })
    assert.is(code, 0)
    assert.not.match(stdout + stderr, "What do you want to create?")
    assert.is(existsSync(join(world.cwd, "shop/app/page.tpl")), template === "full-stack")
  }
})

written.run()

const source = suite("where fw comes from")

source("a project has a copy of the running fw", async () => {
  const world = machine()
  const { data } = JSON.parse((await fwNew(["shop", "--json"], world)).stdout)
  assert.is(data.fw, `file:vendor/fw-${version}.tgz`)
  const copy = readFileSync(join(world.cwd, `shop/vendor/fw-${version}.tgz`))
  assert.ok(copy.equals((await packOwnPackage()).bytes))
})

source.run()

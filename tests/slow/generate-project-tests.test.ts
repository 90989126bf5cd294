/**
 * Runs the tests of a new project after generators: the tests that it came with, and those that a generator added.
 * generate-auth.test.ts has the patterns of `fw generate auth`.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type ProjectTemplate, readScaffoldFiles, renderPackageJSON } from "../../bin/new/scaffold.ts"
import { fw, program, project, runNode } from "../support/bin/cli/command.ts"
import { temporary } from "../support/examples/auth-app.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Creates a new project with its tests and the packages of this repository. */
async function newProject(template: ProjectTemplate): Promise<string> {
  const cwd = project({})
  const { devDependencies: versions } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const options = { name: "mine", template, versions }
  for (const { file, content } of await readScaffoldFiles(options)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true })
    writeFileSync(join(cwd, file), content)
  }
  writeFileSync(join(cwd, "package.json"), renderPackageJSON(options, "file:vendor/fw.tgz"))
  symlinkSync(join(root, "node_modules"), join(cwd, "node_modules"), "junction")
  return cwd
}

/** A change that the output of a generator asks for. */
type Change = readonly [file: string, from: string, to: string]

const templates: readonly ProjectTemplate[] = ["full-stack", "api"]
const cases: ReadonlyArray<
  readonly [steps: readonly (readonly string[])[], templates: readonly ProjectTemplate[], change?: Change]
> = [
  [
    [
      ["auth", "--proxy"],
      ["form", "contact"],
      ["form", "(account)/notes"],
      ["page", "about", "--with-layout"],
    ],
    templates,
  ],
  ...["rate-limit", "maintenance", "redirect-www"].map((name) => [[["proxy", "-t", name]], ["full-stack"]] as const),
  [[["proxy", "-t", "auth-check"]], templates, ["app/proxy.ts", '["/login",', '["/", "/nothing", "/login",']],
  [
    ["blank", "auth", "logging", "timing", "cors"].flatMap((name) => [
      ["middleware", name, "-t", name, "-p", `api/${name}`],
      ["route", name],
    ]),
    ["full-stack"],
  ],
  [
    [
      ["page", "about"],
      ["page", "team", "--with-layout"],
      ["route", "users/[id]"],
      ["form", "contact"],
      ["form", "team/join"],
      ["client"],
    ],
    templates,
  ],
]

for (const [steps, used, change] of cases)
  for (const template of used)
    test(`the tests of a new project pass after fw generate ${steps.map((args) => args.join(" ")).join(", then ")} (${template})`, async () => {
      const cwd = await newProject(template)
      for (const args of steps) {
        const { code, stdout, stderr } = await fw(["generate", ...args, "--json"], { cwd })
        assert.is(code, 0, stderr)
        assert.equal(JSON.parse(stdout).data.warnings ?? [], [])
      }
      if (change) {
        const [file, from, to] = change
        const text = readFileSync(join(cwd, file), "utf8")
        assert.ok(text.includes(from))
        writeFileSync(join(cwd, file), text.replace(from, to))
      }
      const env = { TMPDIR: temporary(), AUTH_JWT_SECRET: "s".repeat(32) }
      const { code, stdout, stderr } = await runNode([program, "test"], { cwd, env })
      assert.is(code, 0, stdout + stderr)
    })

test.run()

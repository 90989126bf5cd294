/** Tests that all TypeScript programs of a project read the same files, also those of packages in its workspace. */
import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { moveToProject } from "../../../bin/cli/project-root.ts"
import { diff } from "../../../bin/specs/openapi.ts"
import { openTypes } from "../../../bin/tools/typescript/program.ts"
import { CallRoots } from "../../../bin/validators/call-roots.ts"
import { prepareValidators } from "../../../bin/validators/prepare-validators.ts"
import { makeProject, write } from "../../support/bin/dev/dev-project.ts"

const test = suite("workspaces")

const helper = `import type { Context } from "fw"
export async function readItem(c: Context): Promise<{ id: number }> { return await c.bind<{ id: number }>() }
`
const workspace = makeProject({ "packages/shared/index.ts": helper, "packages/rel/index.ts": helper }, [
  "fw",
  "typescript",
])
write(workspace, {
  "packages/shared/package.json": '{ "name": "@acme/shared", "type": "module", "exports": "./index.ts" }',
  "apps/api/package.json":
    '{ "type": "module", "imports": { "#rel": "../../packages/rel/index.ts", "#own/*": "./lib/*" } }',
  "apps/api/tsconfig.json": JSON.stringify({
    compilerOptions: {
      target: "es2022",
      module: "nodenext",
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      types: [],
    },
    include: ["**/*.ts"],
  }),
  "apps/api/lib/read.ts": 'export { readItem } from "@acme/shared"\n',
  "apps/api/app/a/route.ts": `import type { Context } from "fw"
import { readItem } from "../../lib/read.ts"
export async function Post(c: Context) { return c.json(200, await readItem(c)) }
`,
})
mkdirSync(join(workspace, "node_modules/@acme"))
symlinkSync(join(workspace, "packages/shared"), join(workspace, "node_modules/@acme/shared"))
const root = join(workspace, "apps/api")

test("calls in a package of the workspace are found even if no file of the project contains a call", async () => {
  const { files, searchedFiles } = await prepareValidators(root)
  assert.equal([...files.keys()], [join(workspace, "packages/shared/index.ts")])
  assert.ok(searchedFiles.has(join(workspace, "packages/shared/index.ts")))
})

const imports: readonly (readonly [specifier: string, isRoot: boolean])[] = [
  ["@acme/shared", true],
  ["@acme/shared/deep", true],
  ["../../packages/rel/index.ts", true],
  ["#rel", true],
  ["~/lib/read.ts", true],
  ["./read.ts", false],
  ["#own/read.ts", false],
  ["fw", false],
  ["node:fs", false],
  ["fs", false],
  ["uvu", true],
]

for (const [specifier, isRoot] of imports)
  test(`a file that imports ${specifier} is ${isRoot ? "" : "not "}read`, () => {
    assert.is(new CallRoots(root).isRoot("main.ts", `import { a } from "${specifier}"`), isRoot)
    assert.is(new CallRoots(root).isRoot("main.ts", `const a = await import('${specifier}')`), isRoot)
  })

test("an error about a declaration file that tsc would report is reported", async () => {
  const own = makeProject(
    {
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          target: "es2022",
          module: "nodenext",
          strict: true,
          composite: true,
          emitDeclarationOnly: true,
          allowImportingTsExtensions: true,
          types: [],
        },
        include: ["*.ts"],
      }),
      "main.ts": "export const Hidden = class { private a = 1 }\n",
    },
    ["fw", "typescript"],
  )
  const program = await openTypes(own, { files: ["main.ts"] })
  if ("untyped" in program) throw new Error(program.untyped)
  assert.equal(
    program.findProjectErrors().errors.map(({ code }) => code),
    [4094],
  )
  program.close()
})

const versions: readonly (readonly [written: string, moved: string])[] = [
  ["old.json", "apps/old.json"],
  ["../old.yaml", "old.yaml"],
  ["HEAD", "HEAD"],
  ["feature/x", "feature/x"],
  ["main:openapi.json", "main:apps/openapi.json"],
  ["api", "apps/api"],
]

for (const [written, moved] of versions)
  test(`fw openapi diff reads ${written}, typed in the directory apps, as ${moved}`, () => {
    const place = { cwd: join(workspace, "apps"), options: { old: written, new: undefined } }
    assert.equal(moveToProject(diff, place, ["old"]).options, { old: moved, new: undefined })
  })

test.run()

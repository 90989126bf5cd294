/**
 * Tests that `fw dev` can replace a changed module in the bundle, and that the program then does the same as after
 * a full build.
 */
import { symlinkSync } from "node:fs"
import { join, relative } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { Bundler, type Program } from "../../../bin/dev/bundle/bundler.ts"
import { DevEntry } from "../../../bin/dev/bundle/dev-entry.ts"
import { loadProgram } from "../../../bin/dev/bundle/load-program.ts"
import { DevFiles } from "../../../bin/dev/dev-files.ts"
import { toErrorData } from "../../../bin/project/error-data.ts"
import { toCrashProblem } from "../../../bin/project/problems.ts"
import { compileTemplates } from "../../../bin/project/templates.ts"
import { createEmptyTree } from "../../../lib/tree.ts"
import { makeProject, write } from "../../support/bin/dev/dev-project.ts"
import { formCases } from "../../support/bin/dev/patch-forms.ts"
import { type Files, main, moduleCases } from "../../support/bin/dev/patch-modules.ts"

// The errors of the patched program must have positions in its sources.
process.setSourceMapsEnabled(true)

const test = suite("fw dev: patches")

/** Opens a project that is bundled as in `fw dev`, but without its processes. */
async function open(files: Readonly<Record<string, string>>, prepare: (root: string) => void = () => {}) {
  const root = makeProject(files)
  prepare(root)
  await compileTemplates(root)
  const entry = new DevEntry(root)
  await entry.setParts({ main: "main.ts", tree: createEmptyTree("app") })
  const store = await DevFiles.open(root)
  const bundler = await Bundler.open({ root, entry, directory: store.directory })
  /** Runs a program as in a new process, in which no module has run. */
  const run = async ({ bundle, patches }: Program) => {
    const { files } = store.write({ bundle: { ...bundle }, patches })
    const { app } = await loadProgram(files, entry.parts)
    return (app as () => unknown)()
  }
  /** Saves files and builds. */
  const save = async (edit: Files) => {
    write(root, edit)
    const { written } = await compileTemplates(root)
    const changed = [...Object.keys(edit), ...written].map((file) => join(root, file))
    return good(await bundler.build(new Set(changed)))
  }
  return { root, bundler, run, save }
}

type Built = Awaited<ReturnType<Bundler["build"]>>

function good(built: Built): Program {
  if ("problems" in built) throw new Error(JSON.stringify(built.problems))
  return built
}

const patchedBy = ({ patches }: Program) => patches.flatMap(({ names }) => names).sort()

for (const [name, { files, edits }] of Object.entries({ ...moduleCases, ...formCases })) {
  test(name, async () => {
    const { bundler, run, save } = await open(files)
    await run(good(await bundler.build(null)))
    for (const [edit, answer, patched] of edits) {
      const program = await save(edit)
      const what = JSON.stringify(edit)
      assert.equal(await run(program), answer, what)
      assert.equal(patchedBy(program), patched, what)
    }
    // A full build of the last version gives the same result.
    assert.equal(await run(good(await bundler.build(null))), edits.at(-1)?.[1])
    await bundler.close()
  })
}

test("errors have positions in TypeScript and in templates, in a patch and in a bundle", async () => {
  const lib = (text: string) =>
    `type Unused = {\n  a: string\n}\n\nexport function fail(): never {\n  throw new Error("${text}")\n}\n`
  const page = (text: string) =>
    `import { fail } from "./lib.ts"\n\ntemplate Page(n: number) {\n  <p>${text}</p>\n  {n > 1 ? (null as any).x : fail()}\n}\n`
  const { root, bundler, run, save } = await open({
    "main.ts": main(
      "[thrown(1), thrown(2)]",
      'import { Page } from "./page.tpl.ts"\nfunction thrown(n: number) { try { Page(n) } catch (error) { return error } }',
    ),
    "lib.ts": lib("one"),
    "page.tpl": page("one"),
  })
  const places = async (program: Program) =>
    ((await run(program)) as unknown[]).map((error) => {
      const { file, line, column } = toCrashProblem(root, toErrorData(error))
      return `${relative(root, join(root, file ?? ""))}:${line}:${column}`
    })
  const expected = ["lib.ts:6:9", "page.tpl:5:26"]
  assert.equal(await places(good(await bundler.build(null))), expected)
  const patched = await save({ "page.tpl": page("two") })
  assert.equal([await places(patched), patchedBy(patched)], [expected, ["main.ts", "page.tpl.ts"]])
  const both = await save({ "lib.ts": `\n${lib("two")}` })
  const moved = ["lib.ts:7:9", "page.tpl:5:26"]
  assert.equal([await places(both), patchedBy(both)], [moved, ["lib.ts", "main.ts", "page.tpl.ts"]])
  assert.equal(await places(good(await bundler.build(null))), moved)
  await bundler.close()
})

test("a change with a new file is a patch, unless an import could find the new file instead of another module", async () => {
  const { root, bundler } = await open({ "main.ts": main("1") })
  await bundler.build(null)
  for (const [file, isPatched] of [
    [".fw/routes.ts", true],
    ["app/page.tpl", true],
    ["app/notes.txt", true],
    [".fw/entry.dev.js", false],
    ["lib/new.ts", false],
    ["lib/data.json", false],
    ["lib", false],
  ] as const) {
    const program = good(await bundler.build(new Set([join(root, file), join(root, "main.ts")])))
    assert.equal([file, patchedBy(program)], [file, isPatched ? ["main.ts"] : []])
  }
  await bundler.close()
})

test("a module that is imported directly and through a link is one module", async () => {
  const { bundler, run, save } = await open(
    {
      "real/state.ts": "export const all = [0]",
      "main.ts": main(
        "[a, b]",
        'import { all as a } from "./linked/state.ts"\nimport { all as b } from "./real/state.ts"',
      ),
    },
    (root) => symlinkSync(join(root, "real"), join(root, "linked"), "dir"),
  )
  await bundler.build(null)
  const program = await save({ "real/state.ts": "export const all = [1]\nall.push(2)" })
  assert.equal(
    [await run(program), patchedBy(program)],
    [
      [
        [1, 2],
        [1, 2],
      ],
      ["main.ts", "real/state.ts"],
    ],
  )
  assert.equal(await run(good(await bundler.build(null))), [
    [1, 2],
    [1, 2],
  ])
  await bundler.close()
})

/** Imports of `a.ts` that name an export which does not exist. */
const missing: Readonly<Record<string, readonly [name: string, file: string, text: string]>> = {
  "used by name": ["b", "main.ts", main("a + b", 'import { a, b } from "./a.ts"')],
  "used with another name": ["b", "main.ts", main("a + c", 'import {\n  a,\n  b as c,\n} from "./a.ts"')],
  "the default": ["default", "main.ts", main("c", 'import c from "./a.ts"')],
  "the default next to a namespace": ["default", "main.ts", main("[c, all]", 'import c, * as all from "./a.ts"')],
  "not used, in JavaScript": ["b", "part.js", 'import { a, b } from "./a.ts"\nexport const part = a'],
}

for (const [how, [name, file, text]] of Object.entries(missing)) {
  test(`a patch with a missing export does not run, and the bundle reports it: ${how}`, async () => {
    const { bundler, run, save } = await open({
      "main.ts": main("[a, one]", 'import { a } from "./a.ts"\nimport { part as one } from "./part.js"'),
      "a.ts": "export const a = 1",
      "part.js": 'import { a } from "./a.ts"\nexport const part = a',
    })
    await bundler.build(null)
    const program = await save({ [file]: text })
    assert.ok(patchedBy(program).includes(file))
    const failed = await run(program).catch((error: Error) => error.message)
    assert.match(String(failed), `a.ts has no export ${name}`)
    const built = await bundler.build(null)
    assert.match(
      "problems" in built ? (built.problems[0]?.message ?? "") : "",
      `No matching export in "a.ts" for import "${name}"`,
    )
    await bundler.close()
  })
}

test.run()

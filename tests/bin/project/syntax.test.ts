/** Tests of syntax errors in routes: every command reports the position that the compiler reports. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../../support/bin/cli/command.ts"
import { makeProject, startDev } from "../../support/bin/dev/dev-project.ts"

const broken = `import type { Context } from "fw"

export function Get(c: Context) {
  const x = Number("1"
  return c.json(200, { x })
}
`
const test = suite("unbalanced brackets")

const cases: ReadonlyArray<readonly [what: string, source: string, line: number, column: number, message: RegExp]> = [
  ["a missing )", broken, 5, 3, /Expected "\)" but found "return"/],
  [
    "a missing }",
    'export const Get = () => {\n  if (1) {\n  return new Response("")\n}\n',
    5,
    1,
    /Unexpected end of file/,
  ],
  ["a } too many", "export const Get = () => new Response()\n}\n", 2, 1, /Unexpected "}"/],
  ["a wrong closer", "export const Get = () => [1, 2)\n", 1, 31, /Expected "\]" but found "\)"/],
  ["a string without an end", 'export const Get = () => "x\n', 1, 28, /Unterminated string/],
]
for (const [what, source, line, column, message] of cases) {
  test(`${what}: routes, validate and build report the same position`, async () => {
    const cwd = makeProject({ "app/api/a/route.ts": source })
    for (const argv of [["routes"], ["validate"], ["build", "--target", "node"], ["generate", "templates"]]) {
      const { code, stdout } = await fw([...argv, "--json"], { cwd })
      assert.is(code, 1)
      const answer = JSON.parse(stdout)
      const found = answer.error?.problems?.[0] ?? answer.data.problems[0]
      const at = found.at ?? found
      assert.equal([at.file, at.line, at.column], ["app/api/a/route.ts", line, column], argv.join(" "))
      assert.match(found.message, message)
      assert.match(found.fix, /^Fix the syntax/)
    }
  })
}

test("fw validate reports the position of a bracket error in main.ts", async () => {
  const cwd = makeProject({
    "app/api/a/route.ts": "export const Get = () => new Response()\n",
    "main.ts": "const a = (1\nexport default a\n",
  })
  const { data } = JSON.parse((await fw(["validate", "--json"], { cwd })).stdout)
  const [{ file, line, message }] = data.problems
  assert.equal([file, line], ["main.ts", 2])
  assert.match(message, /Expected "\)" but found "export"/)
})

test("if esbuild is not installed in the project, the message of the scan is shown", async () => {
  const cwd = makeProject({ "app/api/a/route.ts": broken }, ["fw"])
  const { stderr } = await fw(["routes"], { cwd })
  assert.match(stderr, /app\/api\/a\/route\.ts:6:1: } closes nothing/)
})

test("fw dev shows the position and the message of a syntax error, and names a package that is missing", async () => {
  const app = {
    "app/api/a/route.ts": broken,
    "main.ts": 'import { App } from "fw"\nexport default new App()\n',
  }
  const root = makeProject(app)
  const dev = startDev(root)
  await dev.says(/error: Expected "\)" but found "return"\n +app\/api\/a\/route\.ts:5:3\n/)
  const { write } = await import("../../support/bin/dev/dev-project.ts")
  const good = broken.replace('Number("1"', 'Number("1")')
  write(root, { "app/api/a/route.ts": `import pad from "left-padd"\n${good.replace("{ x }", "{ x, pad }")}` })
  await dev.says(
    /error: the package left-padd is not installed\n +app\/api\/a\/route\.ts:1:17\n[\s\S]*? +Install it: npm install left-padd\. Or correct its name\.\n/,
  )
  write(root, {
    "app/api/a/route.ts": `import { pad } from "./padd.ts"\n${good.replace("{ x }", "{ x, pad }")}`,
  })
  await dev.says(/error: Could not resolve "\.\/padd\.ts"\n[\s\S]*?Correct the path, or write the file\.\n/)
  assert.not.match(dev.output, /mark the path .* as external/)
  write(root, {
    "app/api/a/route.ts": good,
    "main.ts": 'import { App } from "fw"\nconst app = new App()\nawait app.listen(":0")\nexport default app\n',
  })
  await dev.says(
    /error: the main file calls listen\(\), .*\n +main\.ts:3:11\n[\s\S]*?Remove the call of listen\(\)\.\n/,
  )
  write(root, {
    "main.ts":
      'import { App } from "fw"\nimport { serve } from "fw/node"\nconst app = new App()\nawait serve(app, ":0")\nexport default app\n',
  })
  await dev.says(
    /warning: the main file calls serve\(\) with the app, .*\n +main\.ts:4:7\n[\s\S]*?Remove the call of serve\(\): export default app is enough\.\n/,
  )
  await dev.stop()
})

test.run()

/** Tests that `fw dev` warns about what `fw validate` finds without types, once per change. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { checkSources } from "../../../bin/dev/checks.ts"
import { Reporter } from "../../../bin/dev/problems/reporter.ts"
import { createChildTerminal } from "../../../bin/dev/server/child-terminal.ts"
import type { DevStatus } from "../../../bin/dev/tools/status.ts"
import type { Problem } from "../../../bin/project/problems.ts"
import { fakeIo } from "../../support/bin/cli/command.ts"
import { ask, makeProject, route, startDev, write } from "../../support/bin/dev/dev-project.ts"

const test = suite("fw dev: checks")

const middleware = `import type { MiddlewareFunc } from "fw"
export function Middleware(): MiddlewareFunc {
  return (next) => (c) => next(c)
}
`
const unused = /warning: .*middleware.*\n +app\/admin\/middleware\.ts/

test("a finding is printed once, is in the status, and disappears when it is fixed", async () => {
  const root = makeProject({ "app/api/route.ts": route("one"), "app/admin/middleware.ts": middleware })
  const dev = startDev(root)
  const port = await dev.port()
  const { token } = JSON.parse(readFileSync(join(root, ".fw/dev.json"), "utf8")) as { token: string }
  const warnings = async () => {
    const { body } = await ask(port, "/__fw/status", { headers: { authorization: `Bearer ${token}` } })
    return (JSON.parse(body) as DevStatus).warnings.map(({ file }) => file)
  }
  await dev.says(unused)
  assert.equal(await warnings(), ["app/admin/middleware.ts"])

  // Two changes, of which the last adds a finding. The first finding is printed again only with the new one.
  write(root, { "app/api/route.ts": route("two") })
  await dev.says(/rebuilt in .*route\.ts/)
  write(root, { "proxy.ts": "export function Proxy() {}\n" })
  await dev.says(/warning: the proxy file is outside app/)
  assert.is(dev.output.split("app/admin/middleware.ts").length - 1, 2, dev.output)
  assert.equal((await warnings()).sort(), ["app/admin/middleware.ts", "proxy.ts"])

  write(root, { "proxy.ts": null, "app/admin/route.ts": route("admin") })
  await dev.says(/rebuilt in .*app\/admin\/route\.ts/)
  // When the next finding appears, the check of this change has ended.
  write(root, { "middleware.ts": middleware, "app/admin/route.ts": route("changed") })
  await dev.says(/warning: the middleware file is outside app/)
  assert.equal(await warnings(), ["middleware.ts"])
  assert.is((await ask(port, "/admin")).body, "changed")
  await dev.stop()
})

test("a link that no route answers is a warning with its position", async () => {
  const page = 'template Page() {\n  <p><a href="/apj">x</a></p>\n}\n'
  const root = makeProject({ "app/api/route.ts": route("one"), "app/page.tpl": page })
  const [found, ...others] = await checkSources({ root, appDir: "app" })
  assert.equal(others, [])
  assert.is(found?.message, "no route answers GET /apj. The nearest is /api")
  assert.equal([found?.file, found?.line, found?.column], ["app/page.tpl", 2, 9])
  assert.match(found?.frame ?? "", /^> 2 \| {3}<p><a href="\/apj">x<\/a><\/p>$/m)
})

test("a newer change stops the checks, and other events are handled between the checks", async () => {
  const page = 'template Page() {\n  <p><a href="/apj">x</a></p>\n}\n'
  const root = makeProject({ "app/api/route.ts": route("one"), "app/page.tpl": page })
  const project = { root, appDir: "app" }
  assert.equal(await checkSources(project, AbortSignal.abort()), [])

  let events = 0
  let timer: NodeJS.Immediate | undefined
  const count = () => {
    events += 1
    timer = setImmediate(count)
  }
  count()
  assert.is((await checkSources(project, new AbortController().signal)).length, 1)
  clearImmediate(timer)
  assert.ok(events >= 12, `only ${events} events were handled between the checks`)
})

test("the program of fw dev gets NO_COLOR exactly if the output of fw dev has no colours", () => {
  const shown = (isTerminal: boolean, env: Record<string, string>) => {
    const { columns, env: child } = createChildTerminal({ stdout: { write() {}, isTerminal, columns: 90 }, env }, env)
    return [columns, child.NO_COLOR]
  }
  assert.equal(shown(true, {}), [90, undefined])
  assert.equal(shown(true, { NO_COLOR: "1" }), [90, "1"])
  assert.equal(shown(true, { FORCE_COLOR: "0" }), [90, "1"])
  assert.equal(shown(true, { NO_COLOR: "1", FORCE_COLOR: "1" }), [90, undefined])
  assert.equal(shown(false, {}), [undefined, undefined])
  assert.equal(shown(false, { FORCE_COLOR: "1" }), [80, undefined])
})

test("warnings are printed once, and again when they change", () => {
  const { io, stderr } = fakeIo()
  const reporter = new Reporter(io)
  const said = (warnings: readonly Problem[]) => {
    const before = stderr().length
    reporter.showWarnings("checks", warnings)
    return stderr().slice(before)
  }
  const first = { message: "first" }
  const second = { message: "second" }
  assert.is(said([first]), "warning: first\n")
  assert.is(said([first]), "")
  assert.is(said([first, second]), "warning: first\nwarning: second\n")
  reporter.showWarnings("types", [first])
  assert.equal(reporter.warnings, [first, second, first])
  assert.is(said([]), "")
  assert.is(said([first]), "warning: first\n")
  assert.equal(reporter.warnings, [first, first])
})

test.run()

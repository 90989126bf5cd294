/** Tests of the role middleware below the middleware that identifies the user. */
import { App, type MiddlewareFunc } from "fw"
import { raw } from "fw/html"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { roles } from "../lib/auth/identity.ts"
import { requireAdmin, requireRole } from "../lib/auth/roles.ts"

const test = suite("roles")
const refused = { error: "forbidden", message: "insufficient permissions" }

/** Returns an app that reads the role from a header, because only the role check is tested here. */
function appWith(guard: MiddlewareFunc): App {
  const app = new App({ logger: false })
  app.use((next) => (c) => {
    if (c.header("role") !== "") c.set("user_role", c.header("role"))
    return next(c)
  })
  app.group("/x", (group) => {
    group.use(guard)
    group.get("/y", (c) => c.json(200, { role: c.getString("user_role") }))
  })
  return app
}

const guards = [
  [requireAdmin(), ["admin", "super"]],
  [requireRole("user"), ["user"]],
  [requireRole("super"), ["super"]],
  [requireRole("user", "super"), ["user", "super"]],
] as const

for (const [guard, allowed] of guards) {
  test(`a guard for ${allowed.join(", ")} refuses every other role`, async () => {
    const app = appWith(guard)
    for (const role of [...roles, "", "root", "Admin", "admin ", "admin,super"]) {
      const answer = await app.request("/x/y", role === "" ? {} : { headers: { role } })
      const passes = allowed.some((one) => one === role.trim())
      assert.is(answer.status, passes ? 200 : 403, role)
      assert.equal(await answer.json(), passes ? { role: role.trim() } : refused, role)
    }
  })
}

test("a role that is not a string is refused everywhere", async () => {
  for (const value of [["admin"], { toString: () => "admin" }, 1, true, null]) {
    const app = new App({ logger: false })
    app.use((next) => (c) => {
      c.set("user_role", value)
      return next(c)
    })
    app.use(requireAdmin())
    app.get("/", (c) => c.string(200, "in"))
    assert.is((await app.request("/")).status, 403)
  }
})

test("a browser gets the page for errors in place of JSON", async () => {
  const app = appWith(requireAdmin())
  app.onError((c, error) => c.html(403, raw(`<p>${(error as Error).message}</p>`)))
  const answer = await app.request("/x/y", { headers: { accept: "text/html,*/*;q=0.8" } })
  assert.is(answer.status, 403)
  assert.is(await answer.text(), "<p>insufficient permissions</p>")
})

test.run()

/** Tests of roles with tokens: the routes for administrators. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { check, makeUser } from "./support/app.ts"
import { administrator } from "./support/env.ts"
import { bearer, claims, forge, header } from "./support/tokens.ts"

const test = suite("admin")
const path = "/api/protected/admin/users"
const refused = { status: 403, data: { error: "forbidden", message: "insufficient permissions" } }
const as = (role: string) => ({ path, headers: bearer(forge(header, claims({ role }))) })

async function login(json: { email: string; password: string }) {
  const answer = await check({ path: "/api/auth", json, status: 200 })
  return bearer(((await answer.json()) as { token: string }).token)
}

test("authentication is checked before the role", async () => {
  await check({ path, status: 401, data: { error: "unauthorized", message: "missing authorization header" } })
  await check({ ...as("user"), ...refused })
  await check({ ...as("admin"), status: 200 })
  await check({ ...as("super"), status: 200 })
  await check({ ...as("root"), status: 401, data: { error: "unauthorized", message: "invalid token" } })
})

test("the first administrator changes another user's role, and the next token of that user has it", async () => {
  const root = await login(administrator)
  const user = await makeUser()
  const before = await login(user)
  await check({ path, headers: before, ...refused })
  const list = (await (await check({ path, headers: root, status: 200 })).json()) as {
    users: { id: string; email: string; role: string }[]
  }
  assert.equal(Object.keys(list.users[0] ?? {}), ["id", "email", "role"])
  const { id } = list.users.find(({ email }) => email === user.email) ?? { id: "" }
  const put = { method: "PUT", path: `${path}/${id}/role`, headers: root }
  await check({ ...put, json: { role: "admin" }, status: 204 })
  // A token contains the role of the time when it was issued.
  await check({ path, headers: before, ...refused })
  const after = await login(user)
  await check({ path, headers: after, status: 200 })
  await check({ ...put, headers: after, json: { role: "super" }, ...refused })
  for (const role of ["root", "", null, ["admin"]]) {
    await check({ ...put, json: { role }, status: 400, text: /super/ })
  }
  await check({
    ...put,
    path: `${path}/none/role`,
    json: { role: "user" },
    status: 404,
    data: { error: "no such user" },
  })
})

test.run()

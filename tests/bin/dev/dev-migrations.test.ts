/** Tests of `fw dev` with pending migrations: the terminal and the page say so, and a button applies them. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { ask, makeProject, startDev, write } from "../../support/bin/dev/dev-project.ts"
import { databasePackages, databaseProject } from "../../support/db/project.ts"

const test = suite("fw dev: migrations")

test("a program with pending migrations starts after the button on the page has applied them", async () => {
  const root = makeProject(databaseProject, databasePackages)
  const dev = startDev(root)
  await dev.says(/2 migrations are pending: 1_notes, 2_first\s+Run: fw db migrate/)
  const port = await dev.port()
  const page = await ask(port, "/api", { headers: { accept: "text/html" } })
  assert.is(page.status, 500)
  assert.match(page.body, '<button type="button" data-migrate>Apply the migrations</button>')
  const post = (headers: Readonly<Record<string, string>>) => ask(port, "/__fw/migrate", { method: "POST", headers })
  assert.is((await post({})).status, 403)
  assert.is((await post({ origin: "http://elsewhere.example" })).status, 403)
  assert.is((await post({ origin: `http://127.0.0.1:${port}` })).status, 200)
  await dev.says(/applied 1_notes, 2_first/)
  assert.equal(await ask(port, "/api").then(({ status, body }) => [status, body]), [200, '[{"text":"first"}]'])
  write(root, { "db/migrations/3_broken.sql": "CREATE TABLE notes (id);\n" })
  await dev.says(/a migration is pending: 3_broken/)
  assert.is((await post({ origin: `http://127.0.0.1:${port}` })).status, 200)
  await dev.says(/db\/migrations\/3_broken\.sql[\s\S]*the migration failed|the migration failed[\s\S]*3_broken\.sql/)
  await dev.stop()
})

test.run()

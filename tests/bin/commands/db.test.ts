/** Tests of `fw db`: the commands open the database of a project in a process of its own. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../../support/bin/cli/command.ts"
import { makeProject, write } from "../../support/bin/dev/dev-project.ts"
import { databasePackages, databaseProject } from "../../support/db/project.ts"

const test = suite("fw db")
const env = { PATH: process.env.PATH, HOME: process.env.HOME }

test("the commands of fw db migrate, check and reset a database", async () => {
  const cwd = makeProject(databaseProject, databasePackages)
  const run = (...args: readonly string[]) => fw(["db", ...args], { cwd, env })
  assert.is((await run("status")).stdout, "pending     1_notes\npending     2_first\n")
  const migrated = await run("migrate", "--json")
  assert.equal(JSON.parse(migrated.stdout), { success: true, data: { applied: ["1_notes", "2_first"] } })
  assert.match(migrated.stderr, "from a migration")
  const oneWay = await run("rollback", "--force")
  assert.equal([oneWay.code, oneWay.stderr.split("\n")[0]], [1, "error: 2_first has no part that rolls it back"])
  const reset = await run("reset")
  assert.equal([reset.code, reset.stderr.split("\n")[0]], [1, "error: this removes every table with its data"])
  assert.is((await run("reset", "--force")).stdout, "applied     1_notes\napplied     2_first\nseeded\n")
  assert.is((await run("check")).stdout, "2 applied to an empty database\n")
  write(cwd, { "db/migrations/1_notes.sql": "CREATE TABLE notes (texts TEXT);\n" })
  const { error } = JSON.parse((await run("migrate", "--json")).stdout)
  assert.equal([error.code, error.at], ["migration", { file: "db/migrations/1_notes.sql" }])
  assert.match(error.message, "\n  - CREATE TABLE notes (text TEXT);\n  + CREATE TABLE notes (texts TEXT);")
})

test("a wrong address gives an error without the password, and a mistake in db/index.ts gives the error that its code throws", async () => {
  const cwd = makeProject(databaseProject, databasePackages)
  const status = async (address: string) =>
    (await fw(["db", "status"], { cwd, env: { ...env, DATABASE_URL: address } })).stderr
  assert.match(await status("file:app"), /Unable to open connection to local database app/)
  const refused = await status("mysql://ada:s3cret@127.0.0.1/shop")
  assert.match(refused, /error: the database cannot be used: URL_SCHEME_NOT_SUPPORTED/)
  assert.not.match(refused, "s3cret")
  write(cwd, { "db/index.ts": 'import { database } from "fw/db"\nexport const db = database(clent)\n' })
  assert.match(await status("file:shop.db"), "clent is not defined")
})

test("in a terminal, commands of fw db that remove data ask first", async () => {
  const cwd = makeProject(
    {
      ...databaseProject,
      "db/migrations/2_first.ts": "export async function up() {}\nexport async function down() {}\n",
    },
    databasePackages,
  )
  const run = (command: string, input: string) => fw(["db", command], { cwd, env, input, isTerminal: true })
  await fw(["db", "migrate"], { cwd, env })
  const kept = await run("rollback", "1\n")
  assert.equal([kept.code, kept.stderr.includes("this takes back 2_first")], [1, true])
  assert.match((await run("rollback", "2\n")).stdout, /taken back {2}2_first\n$/)
})

test("the file name of a new migration contains the time, and an empty migration cannot be applied", async () => {
  const cwd = makeProject(databaseProject, databasePackages)
  const { stdout } = await fw(["db", "new", "add_written"], { cwd, env })
  const file = /db\/migrations\/\d{14}_add_written\.sql/.exec(stdout)?.[0] as string
  assert.is(readFileSync(join(cwd, file), "utf8"), "\n-- down\n")
  assert.match((await fw(["db", "migrate"], { cwd, env })).stderr, `error: ${file}: the migration has no statement`)
  const complete = await fw(["db", "new", "store", "--store"], { cwd, env })
  assert.match(complete.stdout, /^wrote db\/migrations\/\d{14}_store\.sql\. Next: fw db migrate\n$/)
  assert.match(
    readFileSync(join(cwd, complete.stdout.split(" ")[1]?.slice(0, -1) ?? ""), "utf8"),
    "CREATE TABLE fw_value",
  )
  assert.is((await fw(["db", "new", "a b"], { cwd, env })).code, 1)
})

test("in a project without a database, fw db fails, and writes neither a migration nor a list of them", async () => {
  const cwd = makeProject({ "db/index.ts": "export const db = {}\n" }, databasePackages)
  for (const args of [["status"], ["new", "notes"]])
    assert.match(
      (await fw(["db", ...args], { cwd, env })).stderr,
      "error: this project has no database of fw/db\n  Write db/index.ts: ",
    )
  assert.is(existsSync(join(cwd, "db/migrations")), false)
  assert.is(existsSync(join(cwd, ".fw/migrations.ts")), false)
  write(cwd, { "db/index.ts": 'import "fw/db"\nexport const database = {}\n' })
  assert.match((await fw(["db", "status"], { cwd, env })).stderr, "error: db/index.ts exports undefined as db")
  write(cwd, { ...databaseProject, "db/migrations/1_notes.ts": "export async function up() {}\n" })
  assert.match(
    (await fw(["db", "status"], { cwd, env })).stderr,
    /1_notes\.sql and db\/migrations\/1_notes\.ts have the same name|1_notes\.ts and db\/migrations\/1_notes\.sql have the same name/,
  )
})

test.run()

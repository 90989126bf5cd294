/** Tests of programs with `FW_MIGRATE=start`: when they migrate, and what they log about it. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import BetterSqlite from "better-sqlite3"
import { build } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { scanDirectory } from "../../../adapters/disk/directory.ts"
import { generateFiles } from "../../../bin/project/codegen.ts"
import { generateDatabaseFiles, readDatabase } from "../../../bin/project/database-files.ts"
import { writeIfChanged } from "../../../bin/system/whole-file.ts"
import { type Files, inProject } from "../../support/lib/scan/scan-project.ts"
import { packageDirectory } from "../../support/packages.ts"

const project: Files = {
  "db/index.ts": `import Database from "better-sqlite3"
import { database } from "fw/db"
export const db = database(new Database("shop.db"))
`,
  "db/migrations/1_notes.sql": "CREATE TABLE notes (text TEXT);\n",
  "main.ts": `import { App } from "fw"
import { setJobEngine, sqliteJobs } from "fw/jobs"
import { session } from "fw/session"
import { databaseStore } from "fw/db"
import { db } from "./db/index.ts"
const app = new App()
app.use(session({ store: databaseStore(db) }))
setJobEngine(sqliteJobs({ database: db }))
export default app
`,
  "app/route.ts": 'export const Get = (c) => c.string(200, "hello")\n',
}
const withMailer: Files = {
  ...project,
  "app/mail/job.ts": `import { mailer } from "fw/mail"
export const Job = mailer({ from: "hello@shop.example" })
`,
}

/** Bundles a project and runs it until it listens or ends. Returns what it wrote, and which tables its migration made. */
async function start(files: Files, env: Readonly<Record<string, string>>) {
  let result = { code: 0 as unknown, stdout: "", stderr: "", tables: [] as string[] }
  await inProject(files, async (root) => {
    const tree = await scanDirectory(root, "app")
    const database = await readDatabase(root)
    const generated = [
      ...generateFiles(tree, { main: "main.ts", database: true }),
      ...(database ? generateDatabaseFiles(database) : []),
    ]
    for (const { file, text } of generated) await writeIfChanged({ root, path: file }, text)
    await mkdir(join(root, "node_modules"))
    for (const name of ["fw", "better-sqlite3"])
      await symlink(packageDirectory(name), join(root, "node_modules", name), "dir")
    const outfile = join(root, "out.mjs")
    await build({
      entryPoints: [join(root, ".fw/entry.node.ts")],
      bundle: true,
      format: "esm",
      platform: "node",
      external: ["better-sqlite3"],
      outfile,
      logLevel: "error",
    })
    const child = spawn(process.execPath, [outfile], {
      cwd: root,
      env: { PATH: process.env.PATH, PORT: "0", HOST: "127.0.0.1", FW_MIGRATE: "start", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    })
    let [stdout, stderr] = ["", ""]
    child.stdout.on("data", (part) => {
      stdout += part
      if (!child.killed && /Listening on|Running jobs/.test(stdout)) child.kill()
    })
    child.stderr.on("data", (part) => {
      stderr += part
    })
    const [code] = await once(child, "close")
    const db = new BetterSqlite(join(root, "shop.db"))
    const rows = db.prepare("SELECT name FROM sqlite_schema WHERE name IN ('notes', 'fw_migration')").all()
    db.close()
    result = { code, stdout, stderr, tables: (rows as { name: string }[]).map(({ name }) => name) }
  })
  return result
}

const FW_SECRETS = "0123456789abcdefghijklmnopqrstuvwxyz"

test("a program migrates before it listens, and writes the names of the migrations to its log", async () => {
  const { code, stdout, stderr, tables } = await start(withMailer, { FW_SECRETS })
  assert.equal([code, stderr], [0, ""])
  const lines = stdout.trim().split("\n")
  const messages = lines.map((line) => JSON.parse(line).message)
  assert.equal(messages.slice(0, 1), ["Applied 1_notes"])
  assert.match(messages[1], /^Listening on 127\.0\.0\.1:\d+$/)
  assert.equal(tables.sort(), ["fw_migration", "notes"])
})

test("a program that only runs jobs migrates too, whatever its PORT is", async () => {
  const { stdout, tables } = await start(withMailer, { FW_SECRETS, FW_JOBS: "only", PORT: "x" })
  assert.match(stdout, /"Applied 1_notes"[\s\S]*"Running jobs"/)
  assert.equal(tables.sort(), ["fw_migration", "notes"])
})

test("a module that uses the database while it is loaded finds its tables, and other statements wait", async () => {
  const lib = `import { db } from "../db/index.ts"
const texts = await Promise.all(["a", "b"].map((text) => db.sql\`INSERT INTO notes VALUES (\${text}) RETURNING text\`))
await db.transaction(({ sql }) => sql\`INSERT INTO notes VALUES ('c')\`)
console.error(JSON.stringify(texts.flat()), JSON.stringify(await db.query("SELECT count(*) AS n FROM notes")))
`
  const main = `import "./lib/notes.ts"\n${project["main.ts"]}`
  const files = { ...project, "main.ts": main, "lib/notes.ts": lib, "db/migrations/2_more.sql": "SELECT 1;\n" }
  const { code, stdout, stderr } = await start(files, { FW_SECRETS })
  assert.equal([code, stderr], [0, '[{"text":"a"},{"text":"b"}] [{"n":3}]\n'])
  assert.match(stdout, /^\{.*"Applied 1_notes, 2_more"\}\n/)
})

const production = { NODE_ENV: "production" }
const mistakes: readonly (readonly [env: Readonly<Record<string, string>>, error: RegExp, files?: Files])[] = [
  [production, /FW_SECRETS/],
  [{ FW_SECRETS: "short" }, /FW_SECRETS/],
  [{ FW_SECRETS, FW_MIGRATE: "yes" }, /FW_MIGRATE/],
  [{ FW_SECRETS, PORT: "x" }, /PORT/],
  [{ FW_SECRETS, FW_DRAIN: "x" }, /FW_DRAIN/],
  [{ FW_SECRETS, FW_TLS_CERT: "none.pem" }, /FW_TLS_CERT/],
  [{ FW_SECRETS, FW_METRICS_PORT: "x" }, /FW_METRICS_PORT/],
  [{ FW_SECRETS, FW_JOBS: "x" }, /FW_JOBS/, withMailer],
  [{ FW_SECRETS, ...production }, /mail/, withMailer],
]
for (const [env, error, files = project] of mistakes) {
  const names = Object.entries(env).map(([name, value]) => (value === FW_SECRETS ? name : `${name}=${value}`))
  test(`a program with ${names.join(" ")} says what is wrong, and does not migrate`, async () => {
    const { code, stderr, tables } = await start(files, env)
    assert.is(code, 1)
    assert.match(stderr, error)
    assert.equal(tables, [])
  })
}

test.run()

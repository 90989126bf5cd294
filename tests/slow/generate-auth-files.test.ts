/**
 * Tests that `fw generate auth` writes the same files as the reference application, and keeps files that a project
 * changed. Slow: some thirty whole projects are written.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { scanDirectory } from "../../adapters/disk/directory.ts"
import { listEntries, patternNames } from "../../bin/generate/auth-patterns.ts"
import { readReferenceSources, referenceDirectory } from "../../bin/generate/auth-sources.ts"
import { compile } from "../../template/index.ts"
import { fw, project } from "../support/bin/cli/command.ts"

const pack = { "package.json": '{\n  "name": "mine",\n  "type": "module"\n}\n' }
const scaffold = fileURLToPath(new URL("../../scaffold/", import.meta.url))
const read = (root: string, file: string) => readFileSync(join(root, file), "utf8")

function generate(cwd: string, ...args: string[]) {
  return fw(["generate", "auth", ...args], { cwd })
}

/** Returns the result of `--json`. */
async function data(cwd: string, ...args: string[]) {
  const { stdout } = await generate(cwd, ...args, "--json")
  return JSON.parse(stdout).data as Record<
    "written" | "overwritten" | "unchanged" | "kept" | "patterns" | "dependencies",
    string[]
  >
}

/** Returns all files below a directory except the generated ones. */
function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".tpl.ts"))
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length).replace(/^\//, ""))
    .sort()
}

const users = ["@libsql/client", "@node-rs/argon2"]
/** Sessions include the pages for a forgotten password. */
const pages = [...users, "nodemailer"]
const cases: ReadonlyArray<
  readonly [flags: readonly string[], brings: readonly string[], routes: readonly string[], packages: readonly string[]]
> = [
  [["--jwt"], ["jwt"], ["POST /api/auth", "POST /api/auth/refresh", "GET /api/protected/profile"], [...users, "jose"]],
  [
    ["--session"],
    ["session"],
    ["POST /login", "POST /signup", "POST /sessions", "POST /forgot", "POST /reset", "GET /verify"],
    pages,
  ],
  [["--api-key"], ["api-key"], ["GET /api/service/whoami"], users],
  [["--roles"], ["roles"], [], []],
  [
    ["--oauth"],
    ["session", "oauth"],
    ["GET /api/auth/google", "GET /api/auth/google/callback"],
    [...users, "jose", "nodemailer"],
  ],
  [
    ["--passkey"],
    ["session", "passkey"],
    ["POST /api/auth/passkey", "POST /api/auth/passkey/options", "POST /passkeys", "POST /passkeys/new"],
    [...users, "@simplewebauthn/server", "nodemailer"],
  ],
  [
    ["--two-factor"],
    ["session", "two-factor"],
    ["POST /second-factor", "POST /login/code"],
    [...users, "nodemailer", "otpauth", "uqr"],
  ],
  [["--invitation"], ["session", "invitation"], ["POST /invitations", "GET /invitation"], pages],
  [["--proxy"], ["jwt", "session", "proxy"], ["GET /api/me"], [...users, "jose", "nodemailer"]],
  [["--jwt", "--roles"], ["jwt", "roles"], ["GET /api/protected/admin/users"], [...users, "jose"]],
  [["--session", "--api-key"], ["session", "api-key"], ["POST /keys"], pages],
  [
    patternNames.map((name) => `--${name}`),
    [...patternNames],
    ["POST /keys", "POST /passkeys", "GET /api/me"],
    [...users, "@simplewebauthn/server", "jose", "nodemailer", "otpauth", "uqr"],
  ],
]

for (const [flags, brings, routes, packages] of cases) {
  test(`${flags.join(" ")} writes its files as in the reference, with everything that they import`, async () => {
    const cwd = project(pack)
    const result = await data(cwd, ...flags)
    assert.equal(result.patterns, brings)
    assert.equal(result.dependencies, packages)
    assert.equal(Object.keys(JSON.parse(read(cwd, "package.json")).dependencies ?? {}), packages)
    const own = [
      "data/.gitignore",
      "app/layout.tpl",
      "tests/auth.test.ts",
      "tests/support/app.ts",
      "tests/support/database.ts",
    ]
    for (const file of result.written) {
      const text = read(cwd, file)
      if (!own.includes(file)) assert.is(text, read(referenceDirectory, file), file)
      if (file.endsWith(".tpl")) assert.equal(compile(text, file).diagnostics, [], file)
      for (const [, path] of text.matchAll(/from "(\.[^"]+)"/g)) {
        const target = join(cwd, file, "..", path as string).replace(/\.tpl\.ts$/, ".tpl")
        // The tests import modules that fw generates.
        assert.ok(existsSync(target) || own.includes(file), `${file} imports ${path}, which does not exist`)
      }
    }
    const tree = existsSync(join(cwd, "app")) ? await scanDirectory(cwd, "app") : { routes: [] }
    const found = tree.routes.map(({ method, pattern }) => `${method} ${pattern}`)
    for (const route of routes) assert.ok(found.includes(route), `${route} is not among ${found.join(", ")}`)
    assert.is(result.written.includes("data/.gitignore"), packages.length > 0)
  })
}

test("every file of the reference is in a pattern, except the files of the application itself", async () => {
  const given = (await readReferenceSources(listEntries(patternNames))).map(({ file }) => file)
  const all = filesBelow(referenceDirectory).filter((file) => /^(?:app|db\/index|lib|static\/auth)/.test(file))
  assert.equal(all.filter((file) => !given.includes(file)).sort(), [
    "app/api/health/route.ts",
    "app/error.tpl",
    "app/layout.tpl",
    "app/not-found.tpl",
    "app/page.tpl",
    "lib/env.ts",
  ])
})

test("the package contains the reference application", () => {
  const { files } = JSON.parse(read(referenceDirectory, "../../package.json"))
  for (const entry of [
    "examples/auth/app",
    "examples/auth/db",
    "examples/auth/lib",
    "examples/auth/static/auth",
    "examples/auth/package.json",
  ]) {
    assert.ok(files.includes(entry), entry)
  }
})

test("a second pattern does not write shared files again", async () => {
  const cwd = project(pack)
  const first = await data(cwd, "--session")
  const second = await data(cwd, "--jwt", "--roles")
  assert.equal([second.overwritten, second.kept], [[], []])
  assert.ok(second.unchanged.includes("lib/auth/users.ts"))
  assert.not.ok(second.written.some((file) => first.written.includes(file)))
  const again = await data(cwd, "--session", "--jwt", "--roles")
  assert.equal([again.written, again.kept, again.dependencies], [[], [], []])
  // The layout and the support modules of tests are written only if they do not exist.
  assert.is(again.unchanged.length, first.written.length + second.written.length - 3)
})

test("patterns that are generated one by one, in any order, give the same files as all of them together", async () => {
  const all = project(pack)
  await generate(all, ...patternNames.map((name) => `--${name}`))
  for (const names of [patternNames, patternNames.toReversed()]) {
    const cwd = project(pack)
    for (const name of names) assert.is((await generate(cwd, `--${name}`)).code, 0)
    assert.equal(filesBelow(cwd), filesBelow(all))
    for (const file of filesBelow(all)) assert.is(read(cwd, file), read(all, file), file)
  }
})

test("a later pattern adds the files for the combination of both", async () => {
  for (const [first, second, file] of [
    ["--session", "--api-key", "app/(account)/keys/page.tpl"],
    ["--api-key", "--session", "app/(account)/keys/page.tpl"],
    ["--roles", "--jwt", "app/api/protected/admin/users/route.ts"],
    ["--jwt", "--roles", "app/api/protected/admin/users/route.ts"],
  ] as const) {
    const cwd = project(pack)
    assert.not.ok((await data(cwd, first)).written.includes(file))
    assert.ok((await data(cwd, second)).written.includes(file), `${second} after ${first} does not write ${file}`)
  }
})

test("a changed shared file is kept, a changed file of the pattern is an error, and --force overwrites both", async () => {
  const cwd = project(pack)
  await generate(cwd, "--session")
  writeFileSync(join(cwd, "lib/auth/users.ts"), "// mine\n")
  const more = await generate(cwd, "--api-key", "--oauth")
  assert.is(more.code, 0)
  writeFileSync(join(cwd, "app/login/page.tpl"), "// mine\n")
  const jwt = await generate(cwd, "--jwt")
  assert.is(jwt.code, 0)
  assert.match(jwt.stdout, "kept         lib/auth/users.ts, which differs from the reference application")
  const before = filesBelow(cwd)
  const refused = await generate(cwd, "--session", "--proxy")
  assert.is(refused.code, 1)
  assert.match(refused.stderr, "app/login/page.tpl already exists")
  assert.equal(filesBelow(cwd), before)
  assert.is(read(cwd, "lib/auth/users.ts"), "// mine\n")
  const forced = await data(cwd, "--session", "--force")
  assert.equal(forced.overwritten.toSorted(), ["app/login/page.tpl", "lib/auth/users.ts"])
})

test("a layout of the project is kept, and a proxy or a page of the project in the same place is an error", async () => {
  const cwd = project({
    ...pack,
    "app/layout.ts": "export function Layout() {}\n",
    "app/proxy.ts": "export function Proxy() {}\n",
  })
  assert.not.ok((await data(cwd, "--session")).written.includes("app/layout.tpl"))
  const { code, stderr } = await generate(cwd, "--proxy")
  assert.is(code, 1)
  assert.match(stderr, "app/proxy.ts already exists")
  const other = project({ ...pack, "app/dashboard/page.tpl": "template Page() { <p>x</p> }\n" })
  const conflict = await generate(other, "--session")
  assert.match(conflict.stderr, /both claim GET \/dashboard/)
  assert.equal(filesBelow(other), ["app/dashboard/page.tpl", "package.json"])
})

test("imports are correct for another route directory", async () => {
  const cwd = project(pack)
  mkdirSync(join(cwd, "src/routes"), { recursive: true })
  const { written } = await data(cwd, "--session", "--proxy", "-d", "src/routes")
  assert.ok(written.includes("src/routes/login/page.tpl"))
  assert.not.ok(existsSync(join(cwd, "app")))
  for (const file of written) {
    for (const [, path] of read(cwd, file).matchAll(/from "(\.[^"]+)"/g)) {
      const target = join(cwd, file, "..", path as string).replace(/\.tpl\.ts$/, ".tpl")
      assert.ok(existsSync(target) || target.includes("/.fw/"), `${file} imports ${path}, which does not exist`)
    }
  }
})

const manifests: ReadonlyArray<readonly [before: string, after: RegExp]> = [
  [
    '{"name":"x"}',
    /^\{\n {2}"name": "x",\n {2}"dependencies": \{\n {4}"@libsql\/client": "\^[\d.]+",\n {4}"@node-rs\/argon2": "\^[\d.]+"\n {2}\}\n\}$/,
  ],
  [
    '{\n\t"name": "x"\n}\n',
    /^\{\n\t"name": "x",\n\t"dependencies": \{\n\t\t"@libsql\/client": "\^[\d.]+",\n\t\t"@node-rs\/argon2": "\^[\d.]+"\n\t\}\n\}\n$/,
  ],
  ['{\r\n  "name": "x"\r\n}\r\n', /^\{\r\n {2}"name": "x",\r\n {2}"dependencies": \{\r\n/],
  [
    '{\n  "dependencies": {\n    "zod": "4",\n    "a": "1"\n  },\n  "private": true\n}\n',
    /^\{\n {2}"dependencies": \{\n {4}"@libsql\/client": "\^[\d.]+",\n {4}"@node-rs\/argon2": "\^[\d.]+",\n {4}"a": "1",\n {4}"zod": "4"\n {2}\},\n {2}"private": true\n\}\n$/,
  ],
  [
    '{ "devDependencies":   {"@libsql/client": "0.1", "@node-rs/argon2": "2"} }',
    /^\{ "devDependencies": {3}\{"@libsql\/client": "0\.1", "@node-rs\/argon2": "2"\} \}$/,
  ],
]
for (const [before, after] of manifests) {
  test(`package.json ${JSON.stringify(before)} gets the missing packages and keeps its formatting`, async () => {
    const cwd = project({ "package.json": before })
    await generate(cwd, "--api-key")
    assert.match(read(cwd, "package.json"), after)
  })
}

/** The files of a project from `fw new`, without those that accounts do not change. */
const newProject = {
  "package.json": '{\n  "name": "mine",\n  "type": "module",\n  "imports": { "#lib/*": "./lib/*" }\n}\n',
  ...Object.fromEntries(
    [
      "shared/.env.example",
      "shared/AGENTS.md",
      "shared/main.ts",
      "shared/tests/support/app.ts",
      "full-stack/app/layout.tpl",
    ].map((file) => [file.replace(/^[^/]+\//, ""), read(scaffold, file)]),
  ),
}

test("lines are added to the files of a new project only once, and imports use its alias", async () => {
  const cwd = project(newProject)
  const { changed } = JSON.parse((await generate(cwd, "--proxy", "--json")).stdout).data
  assert.equal(changed, ["app/layout.tpl", ".env.example", "AGENTS.md", "tests/support/app.ts", "main.ts"])
  const texts = changed.map((file: string) => read(cwd, file))
  for (const [text, wanted] of texts.map((text: string, at: number) => [text, expectedLines[at]]))
    assert.match(text as string, wanted as RegExp)
  assert.equal(texts[4].split("app.use(sessions)").length, 2)
  assert.match(read(cwd, "app/login/page.tpl"), 'from "#lib/auth/texts.ts"')
  assert.match(read(cwd, "lib/auth/links.ts"), 'from "./mail.ts"')
  const again = JSON.parse((await generate(cwd, "--proxy", "--json")).stdout).data
  assert.equal([again.changed, again.written, again.kept], [[], [], []])
  assert.equal(
    changed.map((file: string) => read(cwd, file)),
    texts,
  )
})

const expectedLines = [
  /<a href="\/dashboard" class="link">Account<\/a>\n {6}<\/header>/,
  /\n# The mail server for links: .*\n#AUTH_MAIL_URL=\n/,
  /test what must fail[^\n]*\n\n## Accounts\n/,
  /import "\.\/database\.ts"\nimport routes/,
  /from "fw"\nimport \{ setJobEngine, sqliteJobs \} from "fw\/jobs"\nimport \{ db \} from "\.\/db\/index\.ts"\nimport \{ sessions \} from "\.\/lib\/auth\/sessions\.ts"[\s\S]*app\.use\(csrf\(\)\)\n\n\/\/ Jobs.*\nsetJobEngine\(sqliteJobs\(\{ database: db \}\)\)\n\napp\.use\(sessions\)\n\nexport default app/,
]

/** The files of a project, and the database that its accounts use. */
const clients: ReadonlyArray<
  readonly [files: Record<string, string>, index: RegExp, packages: readonly string[], test: RegExp]
> = [
  [{}, /@libsql\/client/, [...users, "jose"], /DATABASE_URL \|\| "file:data\/app\.db"/],
  [
    { "package.json": '{ "dependencies": { "pg": "8" } }' },
    /new Pool/,
    [...users.slice(1), "jose", "@types/pg"],
    /"postgres:\/\/postgres@localhost/,
  ],
  [
    { "package.json": '{ "dependencies": { "postgres": "3" } }' },
    /postgres\(process/,
    [...users.slice(1), "jose"],
    /"postgres:\/\//,
  ],
  [
    { "package.json": '{ "dependencies": { "better-sqlite3": "12" } }' },
    /new Database/,
    [...users.slice(1), "jose", "@types/better-sqlite3"],
    /"file:data/,
  ],
  [
    { "db/index.mts": 'import { database } from "fw/db"\nexport const db = database(process.env.SHOP_DB ?? "a.db")\n' },
    /SHOP_DB/,
    [...users.slice(1), "jose"],
    /process\.env\.SHOP_DB \|\| "a\.db"[\s\S]*import\("\.\.\/\.\.\/db\/index\.mts"\)/,
  ],
]
for (const [files, index, packages, test_] of clients) {
  test(`a project with ${Object.keys(files).join() || "nothing"} ${Object.values(files).join().slice(0, 60)} gets accounts in its database`, async () => {
    const cwd = project({ ...pack, ...files })
    const { dependencies } = await data(cwd, "--jwt")
    const file = Object.keys(files).find((one) => one.startsWith("db/")) ?? "db/index.ts"
    assert.match(read(cwd, file), index)
    assert.equal(dependencies, packages)
    assert.match(read(cwd, "tests/support/database.ts"), test_)
    assert.match(read(cwd, "lib/auth/users.ts"), `from "../../${file}"`)
    assert.ok(existsSync(join(cwd, "db/migrations/20261129000001_accounts.sql")))
  })
}

test("the project's own mailer and job engine are kept, and a database other than SQLite gets no jobs", async () => {
  const main = (line: string) => `import { App } from "fw"\n\nconst app = new App()\n${line}\nexport default app\n`
  for (const files of [
    { "app/mail/job.ts": "export const Job = 1\n", "main.ts": main("setJobEngine(mine)") },
    { "package.json": '{ "dependencies": { "pg": "8" } }', "main.ts": main("") },
  ]) {
    const cwd = project({ ...pack, ...files })
    const { kept } = await data(cwd, "--session")
    assert.equal(kept, "app/mail/job.ts" in files ? ["app/mail/job.ts"] : [])
    assert.is(read(cwd, "main.ts"), files["main.ts"])
  }
})

test("a failed call of fw generate auth leaves no files", async () => {
  for (const [files, args, message] of [
    [pack, [], /no pattern is named\n {2}Name one or several: fw generate auth --jwt --session/],
    [{}, ["--jwt"], /package\.json/],
    [{ "package.json": "{" }, ["--jwt"], /package\.json is not a JSON object/],
    [{ "package.json": "[]" }, ["--jwt"], /package\.json is not a JSON object/],
    [
      { "db/index.ts": "export const db = 1\n", ...pack },
      ["--jwt"],
      /db\/index\.ts: accounts need a database of fw\/db, and this file does not export one/,
    ],
  ] as const) {
    const cwd = project(files as Record<string, string>)
    const { code, stderr } = await generate(cwd, ...args)
    assert.is(code, 1)
    assert.match(stderr, message)
    assert.equal(filesBelow(cwd), Object.keys(files))
  }
})

test("fw generate auth prints the next steps", async () => {
  const { stdout } = await generate(project(pack), "--oauth")
  assert.match(stdout, "jose to package.json: run npm install")
  assert.match(stdout, /environment[^\n]*:\n {2}DATABASE_URL .*\n(?: {2}AUTH_.*\n){3} {2}GOOGLE_CLIENT_ID /)
  assert.match(stdout, "npx fw db migrate\n")
})

test.run()

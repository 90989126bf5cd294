/**
 * Tests of `fw validate --security`: routes that change data without a guard, only behind the proxy's guard, or
 * with a cookie and no csrf().
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { patternNames } from "../../bin/generate/auth-patterns.ts"
import { fw } from "../support/bin/cli/command.ts"
import { context, installed, validate } from "../support/bin/inspect/validated.ts"
import { root } from "../support/tsc.ts"

const security = suite("security")

type Files = Readonly<Record<string, string>>

/** Returns a route file with a handler of this name. */
function route(name: string, comment = ""): string {
  const doc = comment === "" ? "" : `/** ${comment} */\n`
  return `${context}${doc}export function ${name}(c: Context) { return c.json(200, {}) }\n`
}

/** Returns a middleware file that returns an expression of these imports from fw. */
function middleware(names: string, expression: string, comment = ""): string {
  const doc = comment === "" ? "" : `/** ${comment} */\n`
  return `import { ${names} } from "fw"\n${doc}export function Middleware() { return ${expression} }\n`
}

const token = 'bearerAuth({ tokens: ["t"] })'
const guarded = middleware("bearerAuth", token)
const own = "(next: HandlerFunc): HandlerFunc => (c) => next(c)"
const cookie = middleware("type HandlerFunc", own, "@security session")

async function found(files: Files, packages?: string[]): Promise<string[]> {
  const { problems } = await validate(installed(files, packages), "--security")
  return problems.map(({ severity, code, file, line }) => `${severity} ${code} ${file}:${line}`)
}

security("each route that changes data needs a guard, or a comment that says that it is open", async () => {
  const files: Files = {
    "app/bare/route.ts": `${route("Get")}export function Post(c: Context) { return c.json(200, {}) }\n`,
    "app/all/route.ts": route("All"),
    "app/hidden/route.ts": route("Put", "@hidden"),
    "app/optional/middleware.ts": middleware("bearerAuth, combine, type HandlerFunc", `combine.some(${token}, ${own})`),
    "app/optional/route.ts": route("Patch"),
    "app/proxy.ts":
      'import { proxy } from "fw"\nexport const ProxyConfig = { matcher: ["/behind/:path*"] }\n/** @security bearer */\nexport function Proxy() { return proxy.continue() }\n',
    "app/behind/route.ts": route("Post"),
    "app/behind/open/route.ts": route("Post", "@security none"),
    "app/behind/(twice)/middleware.ts": guarded,
    "app/behind/(twice)/again/route.ts": route("Post"),
    "app/open/route.ts": route("Post", "@security none"),
    "app/(public)/middleware.ts": middleware("type HandlerFunc", own, "@security none"),
    "app/(public)/form/route.ts": route("Post"),
    "app/(token)/middleware.ts": guarded,
    "app/(token)/a/route.ts": route("Put"),
    "app/(token)/a/[id]/route.ts": route("Delete"),
    "app/checks/route.ts": route("Post", "@security apiKey"),
    "app/(forms)/middleware.ts": cookie,
    "app/(forms)/b/route.ts": route("Post"),
    "app/(forms)/safe/middleware.ts": middleware("csrf", "csrf()"),
    "app/(forms)/safe/route.ts": route("Post"),
    "app/(forms)/own/middleware.ts": 'export { check as Middleware } from "../../../lib/check.ts"\n',
    "app/(forms)/own/route.ts": route("Post"),
    "app/chat/route.ts": 'import type { SocketFunc } from "fw"\nexport const Socket: SocketFunc = () => ({})\n',
    "lib/check.ts": 'import { csrf } from "fw"\nexport const check = () => csrf()\n',
    "main.ts": `import { App, bearerAuth } from "fw"
const app = new App()
app.post("/hand", (c) => c.json(200, {}))
app.post("/wrapped", ${token}, (c) => c.json(200, {}))
app.group("/group", (g) => {
  g.use(${token})
  g.delete("/x", (c) => c.json(200, {}))
})
export default app
`,
  }
  assert.equal(await found(files), [
    "error csrf app/(forms)/b/route.ts:2",
    "error unguarded app/all/route.ts:2",
    "error unguarded app/bare/route.ts:3",
    "warning proxy_only app/behind/route.ts:2",
    "error unguarded app/hidden/route.ts:3",
    "error unguarded app/optional/route.ts:2",
    "error unguarded main.ts:3",
  ])
})

security("a guard and csrf() around the whole app count for every route", async () => {
  const files: Files = {
    "app/a/route.ts": route("Post"),
    "app/(forms)/middleware.ts": cookie,
    "app/(forms)/b/route.ts": route("Post"),
    "main.ts": `import { App, bearerAuth, csrf } from "fw"\nconst app = new App()\napp.use(csrf())\napp.use(${token})\nexport default app\n`,
  }
  assert.equal(await found(files), [])
})

security("without TypeScript, nothing is an error, because a guard may be declared by a type", async () => {
  const files: Files = { "app/(token)/middleware.ts": guarded, "app/(token)/a/route.ts": route("Put") }
  assert.equal(await found(files, ["fw"]), ["warning unguarded app/(token)/a/route.ts:2"])
})

security("an error gives exit code 1 and a fix, and is only reported with --security", async () => {
  const cwd = installed({ "app/a/route.ts": route("Post") })
  const { code, valid, errors, problems } = await validate(cwd, "--security")
  assert.equal([code, valid, errors], [1, false, 1])
  assert.is(problems[0]?.message, "POST /a changes something, and no guard is declared for it")
  assert.match(problems[0]?.fix ?? "", /bearerAuth\(\).*@security none/)
  assert.match(problems[0]?.frame ?? "", /^> 2 \| export function Post/m)
  assert.equal((await validate(cwd)).code, 0)
})

/** Runs the check, and returns only its own findings. */
async function unsafe(cwd: string): Promise<unknown[]> {
  const { problems, typesChecked } = await validate(cwd, "--security")
  assert.ok(typesChecked)
  return problems.filter(({ code }) => ["unguarded", "csrf", "proxy_only", "broken_link"].includes(code))
}

for (const name of ["tasks", "auth"]) {
  security(`the example ${name} guards every route that changes data, or says that it is open`, async () => {
    assert.equal(await unsafe(join(root, "examples", name)), [])
  })
}

security("the form of fw generate form says that it is open if nothing guards it", async () => {
  const session = 'export { requireSession as Middleware } from "../../lib/auth/sessions.ts"\n'
  const cwd = installed({
    "main.ts": readFileSync(join(root, "scaffold/shared/main.ts"), "utf8"),
    "app/members/middleware.ts": session,
  })
  for (const args of [
    ["auth", "--session"],
    ["form", "contact"],
    ["form", "members/profile", "--fields", "name,photo:file"],
  ])
    assert.is((await fw(["generate", ...args], { cwd })).code, 0)
  assert.equal(await unsafe(cwd), [])
  assert.not.match(readFileSync(join(cwd, "app/members/profile/route.ts"), "utf8"), "@security")
})

security("everything that fw generate auth writes in a new project is guarded or open on purpose", async () => {
  const cwd = installed({
    "main.ts": readFileSync(join(root, "scaffold/shared/main.ts"), "utf8"),
    "app/x.ts": "",
  })
  const flags = patternNames.map((name) => `--${name}`)
  assert.is((await fw(["generate", "auth", ...flags], { cwd })).code, 0)
  assert.equal(await unsafe(cwd), [])
})

security.run()

/** `fw routes --unlinked`: the routes to which nothing in a project links. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are template literals in templates
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw, project } from "../../support/bin/cli/command.ts"
import { handlers, page } from "../../support/lib/scan/scan-project.ts"

const unlinked = suite("unlinked routes")

type Files = Readonly<Record<string, string>>

async function listed(files: Files): Promise<string[]> {
  const { code, stdout } = await fw(["routes", "--unlinked", "--json"], { cwd: project(files) })
  assert.is(code, 0)
  const { routes, total } = JSON.parse(stdout).data as {
    routes: { method: string; pattern: string }[]
    total: number
  }
  assert.is(routes.length, total)
  return routes.map(({ method, pattern }) => `${method} ${pattern}`)
}

const shop: Files = {
  "app/page.tpl": page,
  "app/users/page.tpl": page,
  "app/users/route.ts": handlers("Post"),
  "app/users/[id]/route.ts": handlers("Get", "Delete", "Head", "Options"),
  "app/shop/[[...cat]]/route.ts": handlers("Get"),
}

unlinked("every route is listed but the start page, HEAD and OPTIONS", async () => {
  assert.equal(await listed(shop), [
    "GET /shop",
    "GET /shop/*",
    "GET /users",
    "POST /users",
    "GET /users/{id}",
    "DELETE /users/{id}",
  ])
})

/** Texts of a page or another file, and the routes to which each links. */
const uses: ReadonlyArray<readonly [text: string, linked: readonly string[], file?: string]> = [
  ['<a href="/users"></a>', ["GET /users"]],
  ['<form action="/users" method="post"></form>', ["POST /users"]],
  ["<p hx-delete={`/users/${c.path}`}></p>", ["DELETE /users/{id}"]],
  ["<a href={`/users/${c.path}`}></a>", ["GET /users/{id}"]],
  ["<a href={`/users?q=${c.path}`}></a>", ["GET /users"]],
  ['<a href="/shop/a/b"></a>', ["GET /shop", "GET /shop/*"]],
  ["<a href={`/${c.path}`}></a>", []],
  ['<a href={link("/users/{id}", { id: 7 })}></a>', ["GET /users/{id}", "DELETE /users/{id}"]],
  ['<script>fetch("/users")</script>', ["GET /users", "POST /users"]],
  ['c.redirect(303, "/users")\n', ["GET /users"], "lib/a.ts"],
  ['export const menu = [{ href: "/users" }]\n', ["GET /users", "POST /users"], "lib/a.ts"],
  ["fetch(`/users/${id}`)\n", ["GET /users/{id}", "DELETE /users/{id}"], "static/a.js"],
  ['fetch("/users")\n', [], "tests/a.test.ts"],
  ['import a from "../users"\nconst b = "//users"\n', [], "lib/a.ts"],
]

for (const [text, linked, file = "app/page.tpl"] of uses) {
  unlinked(`${text.trim()} in ${file} links to ${linked.join(", ") || "nothing"}`, async () => {
    const source = file.endsWith(".tpl") ? `template Page(c: Context) {\n${text}\n}\n` : text
    const all = await listed(shop)
    const left = await listed({ ...shop, [file]: source })
    assert.equal(
      all.filter((one) => !left.includes(one)),
      linked,
    )
  })
}

unlinked("a proxy's matcher is not a link", async () => {
  const proxy = 'export const ProxyConfig = { matcher: ["/users"] }\nexport function Proxy() {}\n'
  assert.ok((await listed({ ...shop, "app/proxy.ts": proxy })).includes("GET /users"))
})

unlinked("the terminal shows the routes and how many of all they are", async () => {
  const cwd = project({ "app/page.tpl": page, "app/users/page.tpl": page })
  const { stdout } = await fw(["routes", "--unlinked"], { cwd })
  assert.is(
    stdout,
    "Routes to which nothing links\n  GET  /users  app/users/page.tpl\n\nTotal: 1 of 2 routes\n",
  )
  const linked = project({
    "app/page.tpl": 'template Page() {\n  <a href="/users"></a>\n}\n',
    "app/users/page.tpl": page,
  })
  assert.is(
    (await fw(["routes", "--unlinked"], { cwd: linked })).stdout,
    "Something links to each of the 2 routes.\n",
  )
})

unlinked("--explain and --unlinked together are refused", async () => {
  const { code, stderr } = await fw(["routes", "--unlinked", "--explain", "/"], { cwd: project(shop) })
  assert.is(code, 2)
  assert.match(stderr, "--explain and --unlinked cannot be used together")
})

unlinked.run()

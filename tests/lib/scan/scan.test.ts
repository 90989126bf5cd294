/**
 * Tests of scanning directories to a RouteTree: patterns, pages, order, links. scan-errors.test.ts tests what is
 * refused.
 */
import { symlink } from "node:fs/promises"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { scanDirectory } from "../../../adapters/disk/directory.ts"
import { type DirectoryEntry, scan } from "../../../lib/scan.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import { type Files, handlers, inProject, middleware, page, scanFiles } from "../../support/lib/scan/scan-project.ts"

const layout = "template Layout() {{children}}"

function listing(tree: RouteTree): string[] {
  return tree.routes.map(({ method, pattern, file }) => `${method} ${pattern} ${file.slice("app/".length)}`)
}

const get = handlers("Get")

test("directories give all types of patterns, nested and in groups", async () => {
  const tree = await scanFiles({
    "app/api/users/route.ts": handlers("Get", "Post"),
    "app/api/users/[id]/route.ts": handlers("Delete", "Get", "Put"),
    "app/api/docs/[...slug]/route.ts": get,
    "app/api/shop/[[...cat]]/route.ts": get,
    "app/api/(admin)/settings/route.ts": get,
    "app/api/(admin)/[team]/(x)/posts/[post]/[...rest]/route.ts": get,
    "app/(site)/health/route.ts": get,
    "app/.well-known/security.txt/route.ts": get,
    "app/route.ts": get,
  })
  assert.equal(listing(tree), [
    "GET / route.ts",
    "GET /.well-known/security.txt .well-known/security.txt/route.ts",
    "GET /api/docs/* api/docs/[...slug]/route.ts",
    "GET /api/settings api/(admin)/settings/route.ts",
    "GET /api/shop api/shop/[[...cat]]/route.ts",
    "GET /api/shop/* api/shop/[[...cat]]/route.ts",
    "GET /api/users api/users/route.ts",
    "POST /api/users api/users/route.ts",
    "GET /api/users/{id} api/users/[id]/route.ts",
    "PUT /api/users/{id} api/users/[id]/route.ts",
    "DELETE /api/users/{id} api/users/[id]/route.ts",
    "GET /api/{team}/posts/{post}/* api/(admin)/[team]/(x)/posts/[post]/[...rest]/route.ts",
    "GET /health (site)/health/route.ts",
  ])
})

test("a route has its export, line and comment, and the name of its catch-all", async () => {
  const source = 'import x from "x"\n\n/** Reads a page. */\nexport async function Get(c) {}\nexport const Post = x\n'
  const tree = await scanFiles({ "app/docs/[[...slug]]/route.mts": source })
  const file = "app/docs/[[...slug]]/route.mts"
  const one = { file, export: "Get", line: 4, comment: "Reads a page.", middleware: [] }
  const two = { file, export: "Post", line: 5, middleware: [] }
  assert.equal(tree, {
    appDir: "app",
    routes: [
      { method: "GET", pattern: "/docs", ...one },
      { method: "POST", pattern: "/docs", ...two },
      { method: "GET", pattern: "/docs/*", rest: "slug", ...one },
      { method: "POST", pattern: "/docs/*", rest: "slug", ...two },
    ],
    middleware: [],
    pages: [],
    layouts: [],
  })
})

test("routes are read from files with every extension and with every method", async () => {
  const all = handlers("Get", "Post", "Put", "Patch", "Delete", "Head", "Options", "All")
  const tree = await scanFiles({
    "app/a/route.ts": all,
    "app/b/route.js": get,
    "app/c/route.mts": get,
    "app/d/route.mjs": get,
  })
  assert.equal(
    tree.routes.map(({ method }) => method).join(" "),
    "GET POST PUT PATCH DELETE HEAD OPTIONS * GET GET GET",
  )
})

test("helpers, tests, styles and private directories are ignored", async () => {
  const tree = await scanFiles({
    "app/api/route.ts": `${get}export const schema = {}\nexport const options = { a: 1 }\nexport function set() {}\nexport const posts = load()\n`,
    "app/api/util.ts": "export default 1\nexport function GET() {}",
    "app/api/error.ts": "export class E {}",
    "app/api/index.ts": 'export * from "./util.ts"',
    "app/api/Layout.tsx": "export default 1",
    "app/api/pages.ts": "export const GET = 1",
    "app/api/route.test.ts": "broken ' syntax",
    "app/api/route.d.ts": "export default 1",
    "app/api/route.css": "a {}",
    "app/api/button.tpl": "template Button() {}",
    "app/api/page.tpl.ts": "generated",
    "app/api/README.md": "",
    "app/api/_lib/route.ts": "broken ' syntax",
    "app/_drafts/route.ts": handlers("GET"),
    "app/.cache/route.ts": handlers("GET"),
    "app/node_modules/x/route.ts": handlers("GET"),
    "app/api/[x]/_y/[[z]]/route.ts": get,
  })
  assert.equal(listing(tree), ["GET /api api/route.ts"])
})

test("a page has the nearest layout, and a title made from its directory's name", async () => {
  const tree = await scanFiles({
    "app/layout.tpl": layout,
    "app/page.tpl": page,
    "app/tasks/page.tpl": page,
    "app/tasks/[id]/page.tsx": "export function Page() { return <p>It's one</p> }",
    "app/(account)/layout.ts": "export const Layout = (title, c, children) => children",
    "app/(account)/user-settings/page.tpl": page,
    "app/(account)/user-settings/é_mail/[[...more]]/page.jsx": "export const Page = () => <></>",
    "app/not-found.tpl": "template NotFound() {}",
    "app/error.tpl": "template Failure() {}",
  })
  const rows = tree.pages.map(({ pattern, rest, layout, title }) => [
    pattern,
    rest ?? "",
    layout === undefined ? "" : tree.layouts[layout]?.file,
    title,
  ])
  assert.equal(rows, [
    ["/", "", "app/layout.tpl", "Home"],
    ["/tasks", "", "app/layout.tpl", "Tasks"],
    ["/tasks/{id}", "", "app/layout.tpl", "Tasks"],
    ["/user-settings", "", "app/(account)/layout.ts", "User settings"],
    ["/user-settings/%C3%A9_mail", "", "app/(account)/layout.ts", "É mail"],
    ["/user-settings/%C3%A9_mail/*", "more", "app/(account)/layout.ts", "É mail"],
  ])
  assert.equal(tree.layouts, [
    { path: "/", file: "app/layout.tpl" },
    { path: "/", file: "app/(account)/layout.ts" },
  ])
  assert.equal([tree.notFound, tree.error], [{ file: "app/not-found.tpl" }, { file: "app/error.tpl" }])
})

test("a page has no layout if no layout is in its directory or above", async () => {
  const tree = await scanFiles({ "app/[id]/page.tpl": page, "app/other/layout.tpl": layout })
  assert.equal(tree.pages, [{ pattern: "/{id}", file: "app/[id]/page.tpl", middleware: [], title: "Home" }])
})

test("sibling directories may name a parameter differently if they answer different methods", async () => {
  const tree = await scanFiles({ "app/[id]/route.ts": get, "app/[name]/route.ts": handlers("Post") })
  assert.equal(listing(tree), ["GET /{id} [id]/route.ts", "POST /{name} [name]/route.ts"])
})

test("a page and a route with other methods can share a directory", async () => {
  const tree = await scanFiles({ "app/page.tpl": page, "app/route.ts": handlers("Post", "Delete") })
  assert.is(tree.routes.length + tree.pages.length, 3)
})

const appDirs: ReadonlyArray<[given: string, appDir: string, file: string]> = [
  ["app", "app", "app/api/route.ts"],
  ["./app/", "app", "app/api/route.ts"],
  ["app/api", "app/api", "app/api/route.ts"],
  ["app\\api", "app/api", "app/api/route.ts"],
  [".", ".", "app/api/route.ts"],
  ["", ".", "app/api/route.ts"],
]

for (const [given, appDir, file] of appDirs) {
  test(`the route directory ${JSON.stringify(given)} is named ${appDir}`, async () => {
    const tree = await inProject({ "app/api/route.ts": get }, async (root) => {
      const files = given.includes("\\") ? given.replaceAll("\\", "/") : given
      return scanDirectory(root, files)
    })
    assert.equal([tree.appDir, tree.routes[0]?.file], [appDir, file])
  })
}

test("an absolute route directory is named relative to the project", async () => {
  await inProject({ "src/app/route.ts": get }, async (root) => {
    const tree = await scanDirectory(root, join(root, "src", "app"))
    assert.equal([tree.appDir, tree.routes[0]?.file], ["src/app", "src/app/route.ts"])
  })
})

test("an empty route directory is an empty tree", async () => {
  assert.equal(await scanFiles({ "app/README.md": "" }), {
    appDir: "app",
    routes: [],
    middleware: [],
    pages: [],
    layouts: [],
  })
})

test("the tree does not depend on the order in which a directory is read", async () => {
  const files: Files = {
    "app/middleware.ts": middleware,
    "app/proxy.ts": "export function Proxy() {}",
    "app/layout.tpl": layout,
    "app/b/route.ts": get,
    "app/b/middleware.ts": middleware,
    "app/b/layout.tpl": layout,
    "app/a/route.ts": get,
    "app/Z/page.tpl": page,
    "app/a/middleware.ts": middleware,
    "app/é/route.ts": get,
    "app/😀/route.ts": get,
    "app/\uffee/route.ts": get,
  }
  const sort = (order: (names: string[]) => string[]) => {
    const list = async (directory: string): Promise<DirectoryEntry[]> => {
      const inside = Object.keys(files).filter((file) => file.startsWith(`${directory}/`))
      const names = [...new Set(inside.map((file) => file.slice(directory.length + 1).split("/")[0] as string))]
      return order(names).map((name) => ({
        name,
        kind: `${directory}/${name}` in files ? "file" : "directory",
      }))
    }
    return scan({ list, read: async (file) => files[file] as string }, "app")
  }
  const forwards = JSON.stringify(await sort((names) => names.sort()))
  assert.match(forwards, '"middleware":[{"path":"/","file":"app/middleware.ts"},{"path":"/a"')
  assert.is(JSON.stringify(await sort((names) => names.sort().reverse())), forwards)
  assert.is(JSON.stringify(await sort((names) => names.sort((a, b) => a.localeCompare(b)))), forwards)
})

test("symbolic links are followed inside the project", async () => {
  await inProject({ "shared/items/route.ts": get, "shared/handler.ts": get, "app/api/x.ts": "" }, async (root) => {
    await symlink("../../shared", join(root, "app/api/v1"), "dir")
    await symlink("../../shared/handler.ts", join(root, "app/api/route.ts"))
    assert.equal(listing(await scanDirectory(root, "app")), [
      "GET /api api/route.ts",
      "GET /api/v1/items api/v1/items/route.ts",
    ])
  })
})

test("the route directory may be a symbolic link itself", async () => {
  await inProject({ "packages/web/app/api/route.ts": get }, async (root) => {
    await symlink("packages/web/app", join(root, "app"), "dir")
    assert.equal(listing(await scanDirectory(root, "app")), ["GET /api api/route.ts"])
  })
})

const proxies: ReadonlyArray<[config: string, matchers: string[], excludes: string[]]> = [
  ["", [], []],
  ["export const ProxyConfig = {}", [], []],
  [
    'export const ProxyConfig = { matcher: ["/api/:path*"], excludes: ["/api/health"] }',
    ["/api/:path*"],
    ["/api/health"],
  ],
  ["export const ProxyConfig: ProxyConfig = { matchers: ['/a', `/b`] };", ["/a", "/b"], []],
  ['export const ProxyConfig = { "matcher": ["/a"], matchers: ["/b"] } as const', ["/a", "/b"], []],
  [
    'export const ProxyConfig = {\n  // all\n  matcher: [\n    "/a", // one\n    /* two */ "/b",\n  ],\n} satisfies ProxyConfig',
    ["/a", "/b"],
    [],
  ],
  [
    'export const ProxyConfig = { matcher: ["/a"] as const, excludes: [] as readonly string[] } as const satisfies fw.Config<A, B[]>\nfoo()',
    ["/a"],
    [],
  ],
  [
    'export let ProxyConfig: Readonly<Record<string, string[]>> = { matcher: ["/a"] }\nexport const other = 1',
    ["/a"],
    [],
  ],
  [
    "export const ProxyConfig = { matcher: ['/it\\'s', '/\\x41\\u0042\\u{43}', \"/\\\n\\d\"] }",
    ["/it's", "/ABC", "/d"],
    [],
  ],
  ['export const ProxyConfig = { matcher: ["/((?!api|_next).*)"] }', ["/((?!api|_next).*)"], []],
]

for (const [config, matchers, excludes] of proxies) {
  test(`the matchers and excludes are read from ${JSON.stringify(config)}`, async () => {
    const tree = await scanFiles({ "app/proxy.ts": `export async function Proxy(c) {}\n${config}\n` })
    assert.equal(tree.proxy, { file: "app/proxy.ts", matchers, excludes })
  })
}

test.run()

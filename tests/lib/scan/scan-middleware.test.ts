/**
 * Tests of the middleware around a route, with directory layouts that users of other frameworks report as broken.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import type { RouteTree } from "../../../lib/tree.ts"
import { type Files, handlers, middleware, page, scanFiles } from "../../support/lib/scan/scan-project.ts"

/** Returns the middleware files around each route and page by pattern, outermost first. */
function chains(tree: RouteTree): Record<string, string> {
  const all = [...tree.routes, ...tree.pages].map(({ pattern, middleware: indexes }) => {
    const files = indexes.map((index) => tree.middleware[index]?.file ?? "?")
    return [pattern, files.map((file) => file.replace(/^app\/?|\/?middleware\.ts$/g, "") || ".").join(" > ")]
  })
  return Object.fromEntries(all)
}

const get = handlers("Get")

const inheritance: ReadonlyArray<[what: string, files: Files, expected: Record<string, string>]> = [
  [
    "runs for its own directory and every one below, outermost first, each once",
    {
      "app/middleware.ts": middleware,
      "app/route.ts": get,
      "app/api/middleware.ts": middleware,
      "app/api/route.ts": get,
      "app/api/users/route.ts": get,
      "app/other/route.ts": get,
    },
    { "/": ".", "/api": ". > api", "/api/users": ". > api", "/other": "." },
  ],
  [
    "in a parameter directory wraps its routes",
    { "app/users/[id]/middleware.ts": middleware, "app/users/[id]/route.ts": get, "app/users/route.ts": get },
    { "/users": "", "/users/{id}": "users/[id]" },
  ],
  [
    "reaches routes below several parameters",
    {
      "app/a/middleware.ts": middleware,
      "app/a/[b]/c/[d]/route.ts": get,
      "app/a/[b]/middleware.ts": middleware,
      "app/a/[b]/c/[d]/middleware.ts": middleware,
    },
    { "/a/{b}/c/{d}": "a > a/[b] > a/[b]/c/[d]" },
  ],
  [
    "in a directory without a route wraps the routes below",
    { "app/api/middleware.ts": middleware, "app/api/v1/users/route.ts": get },
    { "/api/v1/users": "api" },
  ],
  ["wraps an index route", { "app/middleware.ts": middleware, "app/route.ts": get }, { "/": "." }],
  [
    "is scoped to its group",
    {
      "app/api/(admin)/middleware.ts": middleware,
      "app/api/(admin)/settings/route.ts": get,
      "app/api/(public)/about/route.ts": get,
      "app/api/users/route.ts": get,
    },
    { "/api/settings": "api/(admin)", "/api/about": "", "/api/users": "" },
  ],
  [
    "is scoped to a group at the root",
    {
      "app/(site)/middleware.ts": middleware,
      "app/(site)/route.ts": get,
      "app/(site)/about/route.ts": get,
      "app/api/route.ts": get,
    },
    { "/": "(site)", "/about": "(site)", "/api": "" },
  ],
  [
    "of nested groups runs outermost first",
    {
      "app/(a)/middleware.ts": middleware,
      "app/(a)/(b)/middleware.ts": middleware,
      "app/(a)/(b)/x/route.ts": get,
      "app/(a)/y/route.ts": get,
    },
    { "/x": "(a) > (a)/(b)", "/y": "(a)" },
  ],
  [
    "wraps both patterns of an optional catch-all",
    {
      "app/shop/middleware.ts": middleware,
      "app/shop/[[...cat]]/middleware.ts": middleware,
      "app/shop/[[...cat]]/route.ts": get,
    },
    { "/shop": "shop > shop/[[...cat]]", "/shop/*": "shop > shop/[[...cat]]" },
  ],
  [
    "wraps a catch-all",
    {
      "app/docs/[...slug]/middleware.ts": middleware,
      "app/docs/[...slug]/route.ts": get,
      "app/docs/route.ts": get,
    },
    { "/docs": "", "/docs/*": "docs/[...slug]" },
  ],
  [
    "wraps pages",
    { "app/tasks/middleware.ts": middleware, "app/tasks/page.tpl": page, "app/tasks/[id]/page.tpl": page },
    { "/tasks": "tasks", "/tasks/{id}": "tasks" },
  ],
]

for (const [what, files, expected] of inheritance) {
  test(`middleware ${what}`, async () => assert.equal(chains(await scanFiles(files)), expected))
}

test("middleware is listed under its directory's pattern, without groups", async () => {
  const tree = await scanFiles({
    "app/middleware.ts": middleware,
    "app/(admin)/users/[id]/middleware.js": middleware,
    "app/shop/[[...cat]]/middleware.ts": middleware,
  })
  assert.equal(tree.middleware, [
    { path: "/", file: "app/middleware.ts" },
    { path: "/users/{id}", file: "app/(admin)/users/[id]/middleware.js" },
    { path: "/shop/*", file: "app/shop/[[...cat]]/middleware.ts" },
  ])
})

test.run()

/** Tests of two files that claim the same route: the error names both. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type Files, findProblems, handlers, middleware, page } from "../../support/lib/scan/scan-project.ts"

const get = handlers("Get")

const conflicts: ReadonlyArray<[what: string, files: Files, ...problems: string[]]> = [
  [
    "through groups",
    { "app/(a)/x/route.ts": get, "app/(b)/x/route.ts": get },
    "app/(b)/x/route.ts:1: app/(a)/x/route.ts and app/(b)/x/route.ts both claim GET /x",
  ],
  [
    "with several methods, reported once",
    { "app/(a)/route.ts": handlers("Get", "Post", "Put"), "app/route.ts": handlers("Post", "Get") },
    "app/(a)/route.ts:1: app/route.ts and app/(a)/route.ts both claim GET, POST /",
  ],
  [
    "between siblings with other parameter names",
    { "app/u/[id]/route.ts": get, "app/u/[name]/route.ts": get },
    "app/u/[name]/route.ts:1: app/u/[id]/route.ts and app/u/[name]/route.ts both claim GET /u/{id}, the same as /u/{name}",
  ],
  [
    "deep below siblings",
    { "app/[a]/x/[b]/route.ts": get, "app/[c]/x/[d]/route.ts": get },
    "app/[c]/x/[d]/route.ts:1: app/[a]/x/[b]/route.ts and app/[c]/x/[d]/route.ts both claim GET /{a}/x/{b}, the same as /{c}/x/{d}",
  ],
  [
    "of an optional catch-all and its parent",
    { "app/shop/route.ts": get, "app/shop/[[...cat]]/route.ts": get },
    "app/shop/[[...cat]]/route.ts:1: app/shop/route.ts and app/shop/[[...cat]]/route.ts both claim GET /shop",
  ],
  [
    "of two catch-alls",
    { "app/[...a]/route.ts": get, "app/[[...b]]/route.ts": get },
    "app/[[...b]]/route.ts:1: app/[...a]/route.ts and app/[[...b]]/route.ts both claim GET /*",
  ],
  [
    "of a page and a Get",
    { "app/x/page.tpl": page, "app/x/route.ts": handlers("Post", "Get") },
    "app/x/route.ts:2: app/x/page.tpl and app/x/route.ts both claim GET /x",
  ],
  [
    "of two pages",
    { "app/(a)/page.tpl": page, "app/(b)/page.tpl": page },
    "app/(b)/page.tpl: app/(a)/page.tpl and app/(b)/page.tpl both claim GET /",
  ],
  [
    "of one name composed and decomposed",
    { "app/(a)/cafe\u0301/route.ts": get, "app/(b)/caf\u00e9/route.ts": get },
    "app/(b)/caf\u00e9/route.ts:1: app/(a)/cafe\u0301/route.ts and app/(b)/caf\u00e9/route.ts both claim GET /caf%C3%A9",
  ],
]

for (const [what, files, ...problems] of conflicts) {
  test(`a conflict ${what} is an error that names both files`, async () => {
    const found = await findProblems(files)
    const expected = problems.map((text) => `${text}\n  Remove one of them, or move it to another directory.`)
    assert.equal(found.map(String), expected)
    assert.equal(found[0]?.code, "conflict")
  })
}

test("two files for the same route, middleware or page are an error that names both", async () => {
  const pairs = [
    ["route.ts", "route.js", get],
    ["middleware.ts", "middleware.mjs", middleware],
  ] as const
  for (const [one, two, text] of [...pairs, ["page.tpl", "page.tsx", page] as const]) {
    const found = await findProblems({ [`app/x/${one}`]: text, [`app/x/${two}`]: text })
    const [first, second] = [one, two].sort()
    const role = one.split(".")[0]
    const expected = `app/x/${second}: app/x/${first} and app/x/${second} are the same ${role}\n  Remove one of them.`
    assert.equal(found.map(String), [expected])
  }
})

test.run()

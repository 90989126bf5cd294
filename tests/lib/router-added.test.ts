/** Tests that searches find routes which are added after an earlier search. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { getRoutes } from "../../lib/app.ts"
import { App } from "../../lib/index.ts"

for (const [pattern, paths] of [
  ["/a/b", ["/a/b", "/a/b/"]],
  ["/a/{x}", ["/a/b", "/a/c/", "/a/caf%C3%A9"]],
  ["/a/*", ["/a/b/c", "/a/d"]],
] as const) {
  test(`routing: routes of ${pattern} are found if they are added after a search for its paths`, () => {
    const app = new App({ logger: false })
    const table = getRoutes(app)
    const added: string[] = []
    for (const method of ["POST", "*", "GET", "HEAD", "PUT"]) {
      app.registerRoute(method, pattern, (c) => c.noContent())
      added.push(method)
      for (const path of [...paths, ...paths])
        for (const wanted of ["GET", "HEAD", "POST", "PUT", "DELETE"]) {
          const fitting = [wanted, ...(wanted === "HEAD" ? ["GET"] : []), "*"]
          const found = table.find(wanted, path)
          assert.is(
            found?.route?.method,
            fitting.find((one) => added.includes(one)),
          )
          const value = decodeURIComponent(pattern === "/a/*" ? path.slice(3) : (path.split("/")[2] ?? ""))
          assert.equal(found?.values, pattern === "/a/b" ? [] : [value])
        }
    }
  })
}

test.run()

/**
 * Tests of the recipe in docs/operations/hosts.md for Next.js, built and started, with the app from a file and from
 * `fw build --target app`.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { runProgram } from "../../bin/tools/program.ts"
import { listFiles, recipeProject } from "../support/bin/new/recipes.ts"

const route = "app/api/[...path]/route.js"
const files = listFiles("Next.js")
const page = "export default function Page() {\n  return <h1>Next</h1>\n}\n"
const layout =
  'export default function Layout({ children }) {\n  return <html lang="en"><body>{children}</body></html>\n}\n'

test("the recipe for Next.js works in a built project, also with route files", async () => {
  const { run, serving, folder } = await recipeProject(
    {
      ...files,
      "app/built/[...path]/route.js": (files[route] as string).replace(
        "../../../app.js",
        "../../../project/dist/app/app.mjs",
      ),
      "app/page.jsx": page,
      "app/layout.jsx": layout,
      "next.config.mjs": "export default { turbopack: { root: import.meta.dirname } }\n",
      "project/package.json": '{"private":true,"type":"module"}\n',
      "project/app/built/hello/[name]/route.ts":
        'import type { Context } from "fw"\nexport const Get = (c: Context<"name">) => c.json(200, { built: c.param("name") })\n',
    },
    ["next@16", "react@19", "react-dom@19", "esbuild", "typescript"],
  )
  const args = ["../node_modules/fw/dist/bin/fw.js", "build", "--target", "app"]
  const { stdout } = await runProgram({ program: process.execPath, args, cwd: `${folder}/project` })
  assert.match(stdout, /app\.mjs/)
  await run(process.execPath, "node_modules/next/dist/bin/next", "build")
  await serving(
    async (ask) => {
      const hello = await ask("/api/hello/ada", { headers: { "x-real-ip": "203.0.113.7" } })
      assert.equal(await hello.json(), { hello: "ada", client: "203.0.113.7" })
      const headers = { "content-type": "application/json" }
      const echo = await ask("/api/echo", { method: "POST", headers, body: '{"a":1}' })
      assert.equal(await echo.json(), { a: 1 })
      assert.is(await (await ask("/api/count")).text(), "one two three")
      assert.is(await (await ask("/api/ticks")).text(), "data: tick\n\n")
      assert.equal(await (await ask("/built/hello/ada")).json(), { built: "ada" })
      assert.match(await (await ask("/")).text(), /<h1>Next<\/h1>/)
    },
    process.execPath,
    "node_modules/next/dist/bin/next",
    "start",
    "--port",
    "0",
  )
})

test.run()

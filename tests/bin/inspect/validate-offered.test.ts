/** Tests of what `fw validate` says about routes that are offered to language models. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { context, installed, validate } from "../../support/bin/inspect/validated.ts"

const offered = suite("offered routes")

const main = `import { App } from "fw"
import { mcp } from "fw/mcp"
const app = new App()
mcp(app)
export default app
`
const post = (comment = "") =>
  `${context}export const mcp = ["Get", "Post"]\nexport function Get(c: Context) { return c.json(200, {}) }\n${comment}export function Post(c: Context) { return c.json(200, {}) }\n`
const guard = `import { bearerAuth } from "fw"\nexport function Middleware() { return bearerAuth({ tokens: ["t"] }) }\n`

const files = {
  "main.ts": main,
  "app/a/route.ts": post(),
  "app/b/route.ts": post("/** @security none */\n"),
  "app/c/middleware.ts": guard,
  "app/c/route.ts": post(),
  "app/d/route.ts": `${context}export const mcp = true\nexport function Get(c: Context) { return c.redirect(303, "/a") }\n`,
}

const codes = async (given: Readonly<Record<string, string>>, ...flags: string[]) => {
  const { problems } = await validate(installed(given), ...flags)
  return problems.map(({ severity, code, file, line }) => `${severity} ${code} ${file}:${line}`)
}

offered("an offered route that writes without a guard, or that cannot be a tool, is a warning", async () => {
  assert.equal(await codes(files), ["warning mcp_unguarded app/a/route.ts:4", "warning mcp_left_out app/d/route.ts:3"])
})

offered("with --security, a route without a guard is one error", async () => {
  assert.equal(await codes(files, "--security"), [
    "error unguarded app/a/route.ts:4",
    "warning mcp_left_out app/d/route.ts:3",
  ])
})

offered("a main file that does not serve the tools is a warning", async () => {
  const silent = main.replace('import { mcp } from "fw/mcp"\n', "").replace("mcp(app)\n", "")
  assert.equal(await codes({ "main.ts": silent, "app/c/middleware.ts": guard, "app/c/route.ts": post() }), [
    "warning mcp_unserved app/c/route.ts:3",
  ])
})

offered("offering a handler that the file does not export is an error", async () => {
  const source = `${context}export const mcp = ["Delete"]\nexport function Get(c: Context) { return c.json(200, {}) }\n`
  assert.equal(await codes({ "main.ts": main, "app/e/route.ts": source }), ["error mcp_export app/e/route.ts:2"])
})

offered.run()

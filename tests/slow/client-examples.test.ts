/** Tests of the generated client of examples/tasks, which sends requests to the example in this process. */
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { copyExample } from "../support/bin/build/executables.ts"
import { fw } from "../support/bin/cli/command.ts"
import type { ClientProject, Result } from "../support/bin/generate/client-project.ts"

Object.assign(process.env, { TASKS_DATA: "", TASKS_API_KEYS: "ada=s3cret", FW_LOG_LEVEL: "off" })

const cwd = copyExample("tasks")
for (const what of ["templates", "client"]) {
  const { code, stderr } = await fw(["generate", what], { cwd })
  if (code !== 0) throw new Error(stderr)
}
const contents = `import app from "./main.ts"
import routes from "./.fw/routes.ts"
export { createClient } from "./lib/client.ts"
app.disableLogger()
await app.mount(routes)
export { app }
`
const outfile = join(cwd, "loaded.mjs")
await build({
  absWorkingDir: cwd,
  stdin: { contents, resolveDir: cwd, loader: "ts" },
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  logLevel: "silent",
  outfile,
})
const { app, createClient } = (await import(pathToFileURL(outfile).href)) as ClientProject
const client = createClient({ fetch: app.fetch, headers: { "x-api-key": "s3cret" } })

const params = { id: 1 }
const file = new File(["hello"], "a.txt", { type: "text/plain" })
/** A call, its status, and a part of its data or error. Each call depends on the earlier ones. */
const calls: ReadonlyArray<readonly [name: string, input: object | undefined, status: number, part: RegExp]> = [
  ["postApiTasks", { body: { title: "Milk", note: "", due: null } }, 201, /"id":1,"title":"Milk"/],
  ["postApiTasks", { body: {} }, 400, /"error":"bad_request"/],
  ["getApiTasks", { query: { state: "open", q: "milk" } }, 200, /"total":1/],
  ["getApiTasks", { query: { state: "done" } }, 200, /"total":0/],
  ["getApiTasksById", { params }, 200, /"title":"Milk"/],
  ["getApiTasksById", { params: { id: 9 } }, 404, /"error":"not_found"/],
  ["patchApiTasksById", { params, body: { title: "Oat milk" } }, 200, /"title":"Oat milk"/],
  ["postApiTasksByIdAttachments", { params, form: { file } }, 201, /"name":"a\.txt","type":"text\/plain","size":5/],
  ["getApiTasksByIdAttachmentsByFile", { params: { id: 1, file: 2 } }, 200, /^"hello"$/],
  ["postApiTasksByIdDone", { params }, 200, /"finished":"/],
  ["getApiTasksExport", undefined, 200, /^"x .* Oat milk/],
  ["getApiReportsByPeriod", { params: { period: "2020/01" } }, 200, /"period":"2020-01"/],
  ["getApiPreferences", { cookies: { theme: "dark" } }, 200, /"theme":"dark"/],
  ["getApiSettings", undefined, 200, /"maintenance":false/],
  ["getApiSettings", { headers: { "x-api-key": "wrong" } }, 401, /"error":/],
  ["postApiDrill", undefined, 500, /"error":"internal_server_error"/],
  ["deleteApiTasksById", { params }, 204, /^$/],
]
for (const [name, input, status, part] of calls) {
  test(`${name}(${JSON.stringify(input) ?? ""}) gives ${status}`, async () => {
    const answer = await (client[name] as (input?: object) => Promise<Result>)(input)
    assert.is(answer.status, status)
    assert.match(JSON.stringify(answer.data ?? answer.error) ?? "", part)
  })
}

test.run()

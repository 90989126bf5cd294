/** Tests of tasks: adding, finding, changing, deleting, and invalid input. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import type { Task } from "../lib/store.ts"
import { check, makeTask, read, send } from "./support/app.ts"

const issues = (...list: [string, string][]) => list.map(([name, message]) => ({ message, path: [name] }))
const invalid = (...list: [string, string][]) => ({
  error: "bad_request",
  message: "the body is not valid",
  issues: issues(...list),
})

const tasks = suite("tasks")

tasks("a task can be added, found, changed, finished, opened again and deleted", async () => {
  const input = { title: "  Write the report ", note: "by\r\nFriday", due: "2028-02-29" }
  const added = await send({ method: "POST", path: "/api/tasks", json: input })
  assert.is(added.status, 201)
  const task = (await added.json()) as Task
  const path = `/api/tasks/${task.id}`
  assert.is(added.headers.get("location"), path)
  assert.match(task.created, /^\d{4}-\d\d-\d\dT/)
  assert.equal(task, {
    id: task.id,
    title: "Write the report",
    note: "by\r\nFriday",
    due: "2028-02-29",
    created: task.created,
    finished: null,
    attachments: [],
  })
  await check({ path, status: 200, data: task })
  await check({ method: "PATCH", path, json: { due: null }, status: 200, data: { ...task, due: null } })
  await check({ method: "PATCH", path, json: {}, status: 200, data: { ...task, due: null } })
  const done = await read<Task>({ method: "POST", path: `${path}/done` })
  assert.match(done.finished ?? "", /^\d{4}-/)
  await check({ method: "POST", path: `${path}/done`, status: 200, data: done })
  await check({ method: "POST", path: `${path}/reopen`, status: 200, data: { ...task, due: null } })
  await check({ method: "DELETE", path, status: 204, text: "" })
  await check({ path, status: 404, data: { error: "not_found", message: `there is no task ${task.id}` } })
})

tasks("the list can be filtered by state and text", async () => {
  const { path } = await makeTask({ title: "Sharpen the Axe", note: "the blunt one" })
  await makeTask({ title: "Fell the tree" })
  const titles = async (query: string) => {
    const { tasks, total } = await read<{ tasks: Task[]; total: number }>({ path: `/api/tasks?${query}` })
    assert.is(tasks.length, total)
    return tasks.map(({ title }) => title)
  }
  assert.equal(await titles("q=axe"), ["Sharpen the Axe"])
  assert.equal(await titles("q=BLUNT"), ["Sharpen the Axe"])
  assert.equal(await titles("q=axe&state=done"), [])
  await send({ method: "POST", path: `${path}/done` })
  assert.equal(await titles("q=axe&state=done"), ["Sharpen the Axe"])
  assert.equal(await titles("q=axe&state=open"), [])
  assert.equal(await titles("q=tree&state=open"), ["Fell the tree"])
  await check({ path: "/api/tasks?state=closed", status: 400, text: /state is open or done/ })
})

tasks("the export is todo.txt, one line per task", async () => {
  const { path } = await makeTask({ title: "Pay the rent", due: "2031-01-01" })
  await send({ method: "POST", path: `${path}/done` })
  const exchange = {
    path: "/api/tasks/export",
    status: 200,
    responseHeaders: {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": 'attachment; filename="todo.txt"',
    },
  }
  await check({ ...exchange, text: /\nx \d{4}-\d\d-\d\d \d{4}-\d\d-\d\d Pay the rent due:2031-01-01\n$/ })
  await check({ ...exchange, method: "HEAD", text: "" })
})

tasks("invalid tasks are refused with the reasons", async () => {
  const { path } = await makeTask()
  for (const [json, problems] of [
    [{}, invalid(["title", "is missing"])],
    [{ title: " " }, invalid(["title", "must have 1 to 120 characters"])],
    [{ title: "x".repeat(121) }, invalid(["title", "must have 1 to 120 characters"])],
    [{ title: "two\nlines" }, invalid(["title", "must not contain control characters"])],
    [
      { title: 7, due: "soon" },
      invalid(["title", "must be a string"], ["due", "must be a day such as 2026-03-31"]),
    ],
    [{ title: "x", due: "2026-02-31" }, invalid(["due", "must be a day such as 2026-03-31"])],
    [{ title: "x", done: true }, invalid(["done", "is unknown"])],
  ] as const) {
    await check({ method: "POST", path: "/api/tasks", json, status: 400, data: problems })
  }
  for (const json of [[], "title", null, 7]) {
    await check({
      method: "POST",
      path: "/api/tasks",
      json,
      status: 400,
      text: /"issues":\[{"message":"must be an object"}]/,
    })
  }
  await check({
    method: "PATCH",
    path,
    json: { id: 9 },
    status: 400,
    data: invalid(["id", "is unknown"]),
  })
})

tasks("invalid bodies are refused with the reason", async () => {
  const json = { "content-type": "application/json" }
  for (const [headers, body, status, text] of [
    [json, '{"title":', 400, /not valid JSON: it ends too early/],
    [json, "title", 400, /not valid JSON/],
    [json, "", 400, /the body is empty/],
    [json, '{"__proto__":{}}', 400, /__proto__/],
    [{ "content-type": "text/plain" }, "title", 415, /got a body of text\/plain/],
    [{ "content-type": "application/x-www-form-urlencoded" }, "title=x", 415, /application\/json/],
    [json, `"${"x".repeat(65 * 1024)}"`, 413, /larger than 65536 bytes/],
  ] as const) {
    await check({ method: "POST", path: "/api/tasks", headers, body, status, text })
  }
})

tasks("URLs of tasks that do not exist are a 404, and invalid numbers a 400", async () => {
  for (const [method, path, status] of [
    ["GET", "/api/tasks/0", 400],
    ["GET", "/api/tasks/one", 400],
    ["GET", "/api/tasks/999999", 404],
    ["PATCH", "/api/tasks/999999", 404],
    ["DELETE", "/api/tasks/999999", 404],
    ["POST", "/api/tasks/999999/done", 404],
    ["POST", "/api/tasks/x/reopen", 400],
  ] as const) {
    const json = method === "PATCH" ? { title: "x" } : undefined
    await check({ method, path, json, status })
  }
})

tasks("other methods are a 405, and OPTIONS lists the right ones", async () => {
  for (const [method, path, status, allow] of [
    ["PUT", "/api/tasks", 405, "GET, HEAD, OPTIONS, POST"],
    ["POST", "/api/tasks/1", 405, "DELETE, GET, HEAD, OPTIONS, PATCH"],
    ["GET", "/api/tasks/1/done", 405, "OPTIONS, POST"],
    ["OPTIONS", "/api/tasks/1", 204, "DELETE, GET, HEAD, OPTIONS, PATCH"],
  ] as const) {
    await check({ method, path, status, responseHeaders: { allow } })
  }
  await check({ path: "/api/tasks/?q=none", status: 308, responseHeaders: { location: "../tasks?q=none" } })
})

tasks.run()

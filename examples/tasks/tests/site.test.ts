/** Tests of theme, static files, help, reports, preferences, administration and proxy. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import type { Report } from "../lib/report.ts"
import type { Task } from "../lib/store.ts"
import { answers, app, check, makeTask, read, send } from "./support/app.ts"

const key = { "x-api-key": "correct horse" }

const page = suite("site")

page("the theme is stored in a cookie", async () => {
  const path = "/api/preferences"
  const cookie = "theme=dark; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"
  await check({ path, status: 200, data: { theme: "auto" } })
  await check({
    method: "POST",
    path,
    json: { theme: "dark" },
    status: 200,
    responseHeaders: { "set-cookie": cookie },
    data: { theme: "dark" },
  })
  await check({
    method: "POST",
    path: "/preferences",
    body: new URLSearchParams({ theme: "dark", back: "/?q=x" }),
    status: 303,
    responseHeaders: { location: "/?q=x", "set-cookie": cookie },
  })
  await check({
    method: "POST",
    path,
    json: { theme: "pink" },
    status: 400,
    text: /must be one of auto, light, dark/,
  })
  await check({ path, headers: { cookie: "theme=dark" }, status: 200, data: { theme: "dark" } })
  const shown = /<html lang="en" data-theme="dark">[\s\S]*value="dark" aria-pressed="true"/
  await check({ path: "/", headers: { cookie: "theme=dark" }, status: 200, text: shown })
  await check({ path: "/", headers: { cookie: 'theme="><script>' }, status: 200, text: /data-theme="auto"/ })
})

page("static files are served with their types, ranges and ETags", async () => {
  const css = "text/css; charset=utf-8"
  await check({
    path: "/static/css/output.css",
    status: 200,
    responseHeaders: { "content-type": css, etag: /"/ },
    text: /^\/\*! tailwindcss v4/,
  })
  const { headers } = await send({ path: "/static/css/output.css" })
  const etag = headers.get("etag") as string
  await check({ path: "/static/css/output.css", headers: { "if-none-match": etag }, status: 304, text: "" })
  await check({ path: "/static/css/output.css", headers: { range: "bytes=0-4" }, status: 206, text: "/*! t" })
  await check({ path: "/static/css/output.css", headers: { range: "bytes=999999-" }, status: 416 })
  for (const name of ["logo", "favicon"]) {
    await check({
      path: `/static/${name}.svg`,
      status: 200,
      responseHeaders: { "content-type": "image/svg+xml" },
      text: /^<svg/,
    })
  }
  await check({ path: "/static/about", status: 308, responseHeaders: { location: "about/" } })
  await check({ path: "/static/about/", status: 200, text: /<h1[^>]*>About/ })
  for (const path of ["/static/", "/static/none.css", "/static/../main.ts", "/static/%2e%2e%2fmain.ts"]) {
    await check({ path, status: 404 })
  }
  await check({
    method: "POST",
    path: "/static/css/output.css",
    status: 405,
    responseHeaders: { allow: "GET, HEAD, OPTIONS" },
  })
})

page("security.txt has a contact and a date", async () => {
  await check({
    path: "/.well-known/security.txt",
    status: 200,
    responseHeaders: { "content-type": "text/plain; charset=utf-8" },
    text: /^Contact: mailto:\S+\nExpires: \d{4}-\d\d-\d\dT[\d:.]+Z\n$/,
  })
})

page.run()

const api = suite("api")

api("the health check answers", () => check({ path: "/api/health", status: 200, data: { status: "ok" } }))

api("help pages are found one and two levels down", async () => {
  await check({
    path: "/api/help",
    status: 200,
    text: "/api/help/tasks\n/api/help/tasks/attachments\n/api/help/admin/keys\n",
  })
  await check({ path: "/api/help/tasks", status: 200, text: /^Tasks\n/ })
  await check({ path: "/api/help/tasks/attachments", status: 200, text: /^Attachments\n/ })
  await check({ path: "/api/help/admin/keys", status: 200, text: /^API keys\n/ })
  await check({ path: "/api/help/none/such", status: 404, text: /"not_found".*\/api\/help lists them/ })
})

api("reports cover all time, a year or a month", async () => {
  const { path } = await makeTask()
  await send({ method: "POST", path: `${path}/done` })
  const { created } = await read<Task>({ path })
  const counts = (period: string) => read<Report>({ path: `/api/reports${period}` })
  const all = await counts("")
  assert.is(all.period, "all")
  assert.ok(all.created > 0 && all.finished > 0 && all.open === all.created - all.finished)
  assert.ok((await counts(`/${created.slice(0, 4)}`)).finished > 0)
  assert.ok((await counts(`/${created.slice(0, 7).replace("-", "/")}`)).finished > 0)
  assert.equal(await counts("/1999/12"), { period: "1999-12", created: 0, finished: 0, open: 0 })
  for (const period of ["soon", "2026/13", "2026/03/01", "2026%2F03"]) {
    await check({ path: `/api/reports/${period}`, status: 400, text: /a period is a year/ })
  }
})

api("only administrators can read and change settings", async () => {
  const path = "/api/settings"
  const settings = { name: "Household", maintenance: false }
  const missing = { error: "missing API key", message: "send an API key in the header X-API-Key" }
  const wrong = { error: "invalid API key", message: "unknown API key" }
  await check({ path, status: 401, data: missing })
  await check({ method: "PUT", path, json: settings, status: 401, data: missing })
  for (const guess of ["correct", "correct horse ", "ops=correct horse", "ops"]) {
    await check({ path, headers: { "x-api-key": `${guess}!` }, status: 401, data: wrong })
  }
  // Without a key, not even the supported methods are revealed.
  await check({ method: "DELETE", path, status: 401, responseHeaders: { allow: null } })
  await check({
    method: "DELETE",
    path,
    headers: key,
    status: 405,
    responseHeaders: { allow: "GET, HEAD, OPTIONS, PUT" },
  })
  await check({ path, headers: key, status: 200, data: { name: "Tasks", maintenance: false, changedBy: "" } })
  const backup = { "x-api-key": "battery=staple" }
  const changed = { ...settings, changedBy: "backup" }
  await check({ method: "PUT", path, headers: backup, json: settings, status: 200, data: changed })
  await check({ path: "/", status: 200, text: /<title>Household<\/title>/ })
  await check({
    method: "PUT",
    path,
    headers: key,
    json: { maintenance: "yes" },
    status: 400,
    text: /must be true or false/,
  })
})

api("a bug is answered with a 500 without details", async () => {
  const path = "/api/drill"
  const data = { error: "internal_server_error", message: "internal server error" }
  await check({ method: "POST", path, status: 401 })
  // Other bugs are logged to stderr, but this one is expected.
  process.env.FW_LOG_LEVEL = "off"
  const responseHeaders = { "server-timing": /^app;dur=\d/ }
  await check({ method: "POST", path, headers: key, status: 500, responseHeaders, data })
  delete process.env.FW_LOG_LEVEL
})

api("unknown paths are a 404 as JSON, and invalid ones a 400", async () => {
  await check({
    path: "/api/none",
    status: 404,
    responseHeaders: { "content-type": "application/json", "x-request-id": /./ },
  })
  for (const path of ["/%", "/%ff", "/api/tasks/%00"])
    await check({ path, status: 400, text: /"bad_request"/ })
  await check({ path: "//api/tasks", status: 404 })
})

api("only the allowed origin can send requests from its pages", async () => {
  const post = { method: "POST", path: "/api/tasks" }
  const board = { origin: "https://board.example", "sec-fetch-site": "cross-site" }
  const stranger = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
  const allowed = { "access-control-allow-origin": "https://board.example", vary: /Origin/ }
  const form = new URLSearchParams({ title: "Buy my pills" })
  await check({
    ...post,
    headers: board,
    json: { title: "From the board" },
    status: 201,
    responseHeaders: allowed,
  })
  await check({ ...post, headers: stranger, body: form, status: 403, text: /a page of another origin/ })
  await check({
    ...post,
    path: "/",
    headers: stranger,
    body: form,
    status: 403,
    text: /a page of another origin/,
  })
  await check({
    method: "POST",
    path: "/",
    headers: { "sec-fetch-site": "same-origin" },
    body: form,
    status: 303,
  })
  await check({ path: "/api/none", headers: board, status: 404, responseHeaders: allowed })
  const preflight = { method: "OPTIONS", path: "/api/tasks/1", status: 204 }
  const asked = { "access-control-request-method": "PATCH" }
  const methods = { "access-control-allow-methods": /PATCH/ }
  await check({ ...preflight, headers: { ...board, ...asked }, responseHeaders: { ...allowed, ...methods } })
  await check({
    ...preflight,
    headers: { ...stranger, ...asked },
    responseHeaders: { "access-control-allow-origin": null },
  })
})

api.run()

const proxy = suite("proxy")

proxy("old URLs are redirected to the new ones", async () => {
  const { id } = await makeTask()
  await check({ path: "/todos?q=x", status: 308, responseHeaders: { location: "/api/tasks?q=x" } })
  await check({
    method: "POST",
    path: `/todos/${id}/done`,
    status: 308,
    responseHeaders: { location: `/api/tasks/${id}/done` },
  })
  await check({ path: "/todos-of-old", status: 404 })
  await check({ path: `/api/v1/tasks/${id}`, status: 200, text: /"Water the plants"/ })
  await check({ path: "/api/v1/settings", status: 401 })
  await check({ path: "/api/v1", status: 404 })
})

proxy("maintenance closes the API, except for the settings that end it", async () => {
  const put = (maintenance: boolean) =>
    check({
      method: "PUT",
      path: "/api/settings",
      headers: key,
      json: { name: "Tasks", maintenance },
      status: 200,
    })
  await put(true)
  const data = { error: "maintenance", message: "closed for maintenance: try again soon" }
  const headers = { origin: "https://board.example" }
  const responseHeaders = { "retry-after": "300", "access-control-allow-origin": "https://board.example" }
  for (const path of ["/api/tasks", "/api/%74asks/1", "/api/v1/tasks", "/api/v1/health"]) {
    await check({ path, headers, status: 503, responseHeaders, data })
  }
  await check({ path: "/api/health", status: 200 })
  await check({ path: "/api/settings", status: 401 })
  await check({ path: "/", status: 200, text: /<p role="status"[^>]*><span[^>]*>Closed for maintenance/ })
  const form = new URLSearchParams({ title: "x" })
  await check({ method: "POST", path: "/", body: form, status: 503, text: /changes are not accepted/ })
  await put(false)
  await check({ path: "/api/tasks", status: 200 })
})

proxy("the application has only the expected number of routes, and a proxy", () => {
  assert.is(app.routeTree?.routes.length, 32)
  assert.is(app.hasProxy, true)
})

proxy("every response was checked against the OpenAPI document", async () => {
  assert.ok(answers.seen.size > 15, [...answers.seen].join("\n"))
  const { info, paths } = await read<{ info: object; paths: object }>({ path: "/openapi.json" })
  assert.equal(info, { title: "Tasks", version: "1.0.0" })
  assert.ok("/api/tasks/{id}" in paths)
})

proxy.run()

/** Sends requests to examples/tasks on any runtime, and returns the responses in a comparable form. */

/** Requests of a browser and a program, each of which depends on the earlier ones. */
export const taskRequests: ReadonlyArray<
  readonly [method: string, path: string, headers?: Record<string, string>, body?: string]
> = [
  ["GET", "/", { accept: "text/html" }],
  ["GET", "/", { accept: "text/html", "hx-request": "true" }],
  ["GET", "/tasks/new", { accept: "text/html" }],
  ["GET", "/nowhere", { accept: "text/html" }],
  ["GET", "/nowhere"],
  ["GET", "/api/health"],
  ["HEAD", "/api/health"],
  ["OPTIONS", "/api/tasks"],
  ["PUT", "/api/health"],
  ["GET", "/api/tasks"],
  ["POST", "/api/tasks", { "content-type": "application/json" }, '{"title":"Buy milk"}'],
  ["POST", "/api/tasks", { "content-type": "application/json" }, "{"],
  ["POST", "/api/tasks", { "content-type": "application/json" }, "{}"],
  ["GET", "/api/help/a/b%2Fc"],
  ["GET", "/api/reports"],
  ["GET", "/api/settings"],
  ["GET", "/api/settings", { "x-api-key": "s3cret" }],
  ["GET", "/api/tasks/"],
  ["GET", "/static/app.js"],
  ["GET", "/static/app.js", { range: "bytes=3-9" }],
  ["HEAD", "/static/css/output.css"],
  ["GET", "/static/css/output.css"],
  ["GET", "/static/vendor/htmx-4.0.1.min.js"],
  ["GET", "/static/vendor/htmx-4.0.1.min.js", { range: "bytes=-7" }],
  ["GET", "/static/about"],
  ["GET", "/static/about/"],
  ["GET", "/static/nothing"],
  ["GET", "/static/..%2fmain.ts"],
  ["GET", "/static/"],
]

/** One of the requests. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
}

/** Returns an answer without parts that differ by time, by chance, or by whether files have times. */
export async function askTasks(url: string, { method, path, headers, body }: Asked) {
  const init = { method, headers, redirect: "manual" as const, ...(body === undefined ? {} : { body }) }
  const answer = await fetch(`${url}${path}`, init)
  const kept = [...answer.headers].filter(
    ([name]) => !["date", "etag", "last-modified", "x-request-id", "server-timing", "keep-alive"].includes(name),
  )
  const text = (await answer.text())
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
  return { status: answer.status, headers: Object.fromEntries(kept) as Record<string, string>, text }
}

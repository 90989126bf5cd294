/** Tests of the pages: complete pages and fragments, forms with and without htmx, and missing pages. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { check, makeTask, read, send } from "./support/app.ts"

const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }
const htmlType = "text/html; charset=utf-8"

/** Headers of an htmx 4 request whose response goes into an element. */
const htmx = (target: string) => ({
  accept: "text/html",
  "hx-request": "true",
  "hx-request-type": "partial",
  "hx-target": target,
})
const form = (fields: Record<string, string>) => new URLSearchParams(fields)

const pages = suite("pages")

pages("every page is a complete document, under a policy that allows no inline script", async () => {
  const { id } = await makeTask({
    title: "<script>alert(1)</script> & more",
    note: "a\nb",
    due: "2030-12-24",
  })
  for (const [path, title, text] of [
    [
      "/",
      "Tasks",
      /&lt;script>|&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; more<\/a>[\s\S]*datetime="2030-12-24"/,
    ],
    ["/?state=done&q=%22%3E", "Tasks", /Nothing found for “&#?\w+;&gt;”/],
    ["/tasks/new", "New task · Tasks", /<form method="post" action="\/tasks\/new"/],
    [`/tasks/${id}`, "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more · Tasks", />a\nb<\/textarea>/],
  ] as const) {
    const response = await send({ path, headers: html })
    const body = await response.text()
    assert.is(response.status, 200, path)
    assert.is(response.headers.get("content-type"), htmlType)
    assert.match(response.headers.get("content-security-policy") ?? "", "default-src 'self'")
    assert.match(response.headers.get("vary") ?? "", /HX-Request-Type/)
    assert.match(body, /^<!doctype html>/)
    assert.match(body, `<title>${title}</title>`)
    assert.match(body, text)
    assert.not.match(body, /<script>| style=| on\w+="/)
    for (const [address] of body.matchAll(/(?:src|href)="[^"]*"/g)) assert.match(address, /="[/#]/)
  }
})

pages("open tasks are sorted by due date, then finished ones follow", async () => {
  for (const [title, due] of [
    ["whenever", null],
    ["late", "2031-02-01"],
    ["early", "2031-01-01"],
  ]) {
    await makeTask({ title: `ordered ${title}`, due })
  }
  const { path } = await makeTask({ title: "ordered done" })
  await send({ method: "POST", path: `${path}/done` })
  const titles = async (query: string) => {
    const body = await (await send({ path: `/?q=ordered${query}` })).text()
    return [...body.matchAll(/>ordered (\w+)<\/a>/g)].map(([, name]) => name)
  }
  assert.equal(await titles(""), ["early", "late", "whenever", "done"])
  assert.equal(await titles("&state=open"), ["early", "late", "whenever"])
  assert.equal(await titles("&state=done"), ["done"])
  await check({ path: "/?state=closed", headers: html, status: 400, text: /<h1[^>]*>That did not work/ })
})

pages("htmx gets the fragment that it requested, and caches can distinguish it", async () => {
  const { id } = await makeTask({ title: "Mow the lawn" })
  for (const [path, target, text] of [
    [
      "/?q=mow",
      "div#results",
      /^<h2 id="place"[\s\S]*Mow the lawn[\s\S]*<p id="live" hx-swap-oob="innerHTML">Found: 1 open task/,
    ],
    ["/", "main#main", /^<h1 id="heading"[\s\S]*<form id="search"/],
    [`/tasks/${id}`, "main#main", /^<a href="\/"[\s\S]*<h2 id="files"/],
    [`/tasks/${id}`, "div#head", /^<form [^>]*hx-target="#head"/],
    [`/tasks/${id}`, "section#attachments", /^<h2 id="files"/],
  ] as const) {
    await check({
      path,
      headers: htmx(target),
      status: 200,
      responseHeaders: { vary: /HX-Target.*HX-Request-Type/ },
      text,
    })
  }
  const whole = { "hx-request": "true", "hx-request-type": "full", "hx-target": "body" }
  await check({ path: "/", headers: whole, status: 200, text: /^<!doctype html>/ })
})

pages("forms redirect to the page they were sent from, and to no other site", async () => {
  await check({
    method: "POST",
    path: "/",
    body: form({ title: "Quick", due: "" }),
    status: 303,
    responseHeaders: { location: "/" },
  })
  const full = form({ title: "Slow", note: "with a note", due: "2032-02-29" })
  await check({
    method: "POST",
    path: "/tasks/new",
    body: full,
    status: 303,
    responseHeaders: { location: "/" },
  })
  const { tasks } = await read<{ tasks: { id: number; note: string }[] }>({ path: "/api/tasks?q=slow" })
  assert.is(tasks[0]?.note, "with a note")
  const path = `/tasks/${tasks[0]?.id}`
  const edit = form({ title: "Slower", note: "", due: "" })
  await check({
    method: "POST",
    path,
    body: edit,
    status: 303,
    responseHeaders: { location: `${path}?saved=task` },
  })
  await check({ path: `${path}?saved=task`, status: 200, text: /Saved\.[\s\S]*value="Slower"/ })
  for (const [back, location] of [
    ["/?q=a%20b&state=open", "/?q=a%20b&state=open"],
    [path, path],
    ["", "/"],
    ["https://evil.example/", "/"],
    ["//evil.example", "/"],
    ["/\\evil.example", "/"],
    ["/tasks/1/../..//evil.example", "/"],
    ["/?\r\nx: y", "/"],
  ] as const) {
    await check({
      method: "POST",
      path: `${path}/done`,
      body: form({ back }),
      status: 303,
      responseHeaders: { location },
    })
  }
  await check({ path: `/api${path}`, status: 200, text: /"finished":"\d/ })
  await check({ method: "POST", path: `${path}/reopen`, body: form({}), status: 303 })
  await check({ path: `/api${path}`, status: 200, text: /"finished":null/ })
})

pages("deleting asks for confirmation", async () => {
  const { id } = await makeTask()
  const path = `/tasks/${id}`
  const responseHeaders = { location: `${path}?delete=sure` }
  await check({
    method: "POST",
    path: `${path}/delete`,
    body: form({ back: "/" }),
    status: 303,
    responseHeaders,
  })
  await check({ path: responseHeaders.location, status: 200, text: /<details [^>]*open>/ })
  const sure = form({ sure: "yes", back: "/?q=x" })
  await check({
    method: "POST",
    path: `${path}/delete`,
    body: sure,
    status: 303,
    responseHeaders: { location: "/?q=x" },
  })
  await check({ path, status: 404 })
})

pages("an invalid form is shown again with its input and messages", async () => {
  const { id } = await makeTask({ title: "Kept" })
  const problem =
    /value=" {2}" [^>]*autofocus aria-invalid="true" aria-describedby="title-problem"> ?<p id="title-problem"[^>]*>A task needs a title/
  const body = form({ title: "  ", note: "long & kept", due: "soon" })
  for (const path of ["/", "/tasks/new", `/tasks/${id}`]) {
    const exchange = { method: "POST", path, body, status: 422 }
    await check({
      ...exchange,
      headers: html,
      responseHeaders: { "content-type": htmlType },
      text: /^<!doctype html>[\s\S]*<title>Not saved yet: /,
    })
    await check({ ...exchange, text: problem })
    await check({ ...exchange, headers: htmx("main#main"), text: /^<(?!!doctype)[\s\S]*id="due-problem"/ })
    if (path !== "/") await check({ ...exchange, text: /long &amp; kept<\/textarea>/ })
  }
  await check({ path: `/api/tasks/${id}`, status: 200, text: /"title":"Kept"/ })
})

pages("files can be attached and deleted on the page of a task", async () => {
  const { id } = await makeTask()
  const path = `/tasks/${id}/attachments`
  const upload = (content: string | Uint8Array<ArrayBuffer>, name: string, type: string) => {
    const body = new FormData()
    body.set("file", new File([content], name, { type }))
    return { method: "POST", path, body }
  }
  const back = (saved: string) => ({
    status: 303,
    responseHeaders: { location: `/tasks/${id}?saved=${saved}` },
  })
  await check({ ...upload("text", "<b>.txt", "text/plain"), ...back("file") })
  const link = new RegExp(`href="/api${path}/(\\d+)" download [^>]*>&lt;b&gt;\\.txt<`)
  const body = await (await send({ path: `/tasks/${id}` })).text()
  const file = link.exec(body)?.[1]
  assert.ok(file, body)
  for (const [content, name, type, text] of [
    ["", "a.txt", "text/plain", /Choose a file first/],
    ["<b>", "a.html", "text/html", /id="file-problem"[^>]*>Only text, PDF/],
  ] as const) {
    await check({ ...upload(content, name, type), status: 422, text: /^<!doctype html>/ })
    await check({ ...upload(content, name, type), headers: htmx("section#attachments"), status: 422, text })
  }
  const large = upload(new Uint8Array(1024 * 1024 + 8192), "big.pdf", "application/pdf")
  await check({ ...large, headers: html, status: 413, text: /a file can have 1 MB at most/ })
  await check({ method: "POST", path: `${path}/${file}/delete`, ...back("gone") })
  await check({ method: "POST", path: `${path}/${file}/delete`, headers: html, status: 404 })
})

pages("a 404 is a page for browsers, a notice for htmx and JSON for programs", async () => {
  for (const path of ["/nope", "/tasks/999999", "/api/nope"]) {
    await check({
      path,
      headers: html,
      status: 404,
      responseHeaders: { vary: /Accept/ },
      text: /^<!doctype html>[\s\S]*<h1[^>]*>This is not here/,
    })
    await check({
      path,
      status: 404,
      responseHeaders: { "content-type": "application/json" },
      text: /"not_found"/,
    })
  }
  const gone = { method: "POST", path: "/tasks/999999/done", body: form({ back: "/" }) }
  const responseHeaders = { "hx-retarget": "#notice", "hx-reswap": "innerHTML", "hx-replace-url": "false" }
  await check({
    ...gone,
    headers: htmx("div#results"),
    status: 404,
    responseHeaders,
    text: /^<p [^>]*>This is not here\./,
  })
})

pages("htmx is served by the application", async () => {
  const { 1: address = "" } =
    /src="(\/static\/vendor\/[^"]*)"/.exec(await (await send({ path: "/" })).text()) ?? []
  await check({
    path: address,
    status: 200,
    responseHeaders: { "content-type": /^text\/javascript/ },
    text: /^var htmx=/,
  })
})

pages.run()

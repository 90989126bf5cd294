/** Tests of attachments: uploading, downloading, and refused files. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import type { Attachment } from "../lib/store.ts"
import { check, makeTask, read, send } from "./support/app.ts"

/** Returns a request with a form that contains one file. */
function upload(
  content: string | Uint8Array<ArrayBuffer>,
  name = "plan.txt",
  type = "text/plain",
  field = "file",
): FormData {
  const form = new FormData()
  form.set(field, new File([content], name, { type }))
  return form
}

const attachments = suite("attachments")

attachments("a file can be attached, listed, downloaded and deleted", async () => {
  const task = await makeTask()
  const path = `${task.path}/attachments`
  const bytes = crypto.getRandomValues(new Uint8Array(50_000))
  const added = await send({
    method: "POST",
    path,
    body: upload(bytes, "Skizze «Küche» (1)'.png", "image/png"),
  })
  assert.is(added.status, 201)
  const attachment = (await added.json()) as Attachment
  const file = `${path}/${attachment.id}`
  assert.equal(attachment, {
    id: attachment.id,
    name: "Skizze «Küche» (1)'.png",
    type: "image/png",
    size: 50_000,
  })
  assert.is(added.headers.get("location"), file)
  await check({ path, status: 200, data: { attachments: [attachment] } })
  const download = await send({ path: file })
  assert.equal(new Uint8Array(await download.arrayBuffer()), bytes)
  await check({
    method: "HEAD",
    path: file,
    status: 200,
    responseHeaders: {
      "content-type": "image/png",
      "content-disposition": "attachment; filename*=UTF-8''Skizze%20%C2%ABK%C3%BCche%C2%BB%20%281%29%27.png",
      "x-content-type-options": "nosniff",
    },
  })
  await check({ method: "DELETE", path: file, status: 204 })
  await check({ path: file, status: 404 })
  await check({ path, status: 200, data: { attachments: [] } })
})

attachments("deleting a task deletes its files, and its number is not reused", async () => {
  const task = await makeTask()
  const { id } = await read<Attachment>({
    method: "POST",
    path: `${task.path}/attachments`,
    body: upload("text"),
  })
  await send({ method: "DELETE", path: task.path })
  const next = await makeTask()
  assert.ok(next.id > id)
  await check({ path: `${next.path}/attachments/${id}`, status: 404 })
})

attachments("file names that could be paths are cut to their last part", async () => {
  const { path } = await makeTask()
  for (const [given, kept] of [
    ["../../etc/passwd", "passwd"],
    ["C:\\temp\\plan.txt", "plan.txt"],
    ["tab\there\u202etxt.exe", "tabheretxt.exe"],
    ["folder/", "file"],
    ["x".repeat(300), "x".repeat(100)],
  ] as const) {
    const { name } = await read<Attachment>({
      method: "POST",
      path: `${path}/attachments`,
      body: upload("text", given),
    })
    assert.is(name, kept)
  }
})

attachments("invalid uploads are refused with the reason", async () => {
  const { path } = await makeTask()
  const mebibyte = 1024 * 1024
  for (const [body, status, text] of [
    [upload("x", "a.txt", "text/plain", "other"), 400, /the form has no file/],
    [upload(""), 400, /no file/],
    [new URLSearchParams({ file: "text" }), 400, /no file/],
    [upload("<script>", "a.html", "text/html"), 415, /text, PDF, PNG/],
    [upload("<svg/>", "a.svg", "image/svg+xml"), 415, /text, PDF, PNG/],
    [upload(new Uint8Array(mebibyte), "full.pdf", "application/pdf"), 201, /"size":1048576/],
    [upload(new Uint8Array(mebibyte + 8192), "big.pdf", "application/pdf"), 413, /larger than 1052672 bytes/],
  ] as const) {
    await check({ method: "POST", path: `${path}/attachments`, body, status, text })
  }
  await check({
    method: "POST",
    path: `${path}/attachments`,
    json: {},
    status: 415,
    text: /multipart\/form-data/,
  })
  await check({ method: "POST", path: "/api/tasks/999999/attachments", body: upload("x"), status: 404 })
})

attachments("a task can have at most ten attachments", async () => {
  const task = await makeTask()
  const path = `${task.path}/attachments`
  const send10 = Array.from({ length: 11 }, () => send({ method: "POST", path, body: upload("text") }))
  const statuses = (await Promise.all(send10)).map(({ status }) => status).sort()
  assert.equal(statuses, [...Array(10).fill(201), 409])
  const { attachments } = await read<{ attachments: Attachment[] }>({ path })
  assert.is(attachments.length, 10)
})

attachments.run()

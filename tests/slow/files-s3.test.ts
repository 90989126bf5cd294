/**
 * Tests of file stores in S3: the contract, connections that are lost at every chunk, changed URLs and forms, and
 * uploads that continue.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type S3FilesOptions, s3Files } from "../../adapters/files.ts"
import { App, type FwError } from "../../lib/index.ts"
import { catchFailure, createStream, cut, driveFiles, makeBytes } from "../support/files/contract.ts"
import { type Fault, type S3Server, startS3 } from "../support/files/s3-server.ts"

let server: S3Server
const open = (options: Partial<S3FilesOptions> = {}) => {
  const { url: endpoint, bucket, credentials } = server
  return s3Files({ endpoint, bucket, region: "eu-central-1", credentials, ...options })
}

let contractServer: S3Server
driveFiles(
  "S3",
  async () => {
    contractServer = await startS3()
    const { url: endpoint, bucket, credentials } = contractServer
    return s3Files({ endpoint, bucket, credentials })
  },
  () => contractServer.end(),
)

test.before(async () => {
  server = await startS3()
})
test.before.each(() => {
  server.fault = undefined
  server.requests.length = 0
})
test.after(() => server.end())

const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0

/** Applies a fault to the first requests that match. */
function failFirst(count: number, fault: Fault, fits: RegExp): void {
  let left = count
  server.fault = ({ method, url }) => (fits.test(`${method} ${url}`) && left-- > 0 ? fault : undefined)
}

const small = makeBytes(100_000)
const large = makeBytes(8 * 1024 * 1024 * 2 + 500_000)

test("an upload whose connection is lost is repeated, or stores nothing, wherever the connection is lost", async () => {
  for (let bytes = 0; bytes < small.length; bytes += 16_384) {
    failFirst(1, { cutRequest: bytes }, /^PUT/)
    assert.is(await open().put(`again-${bytes}`, small), small.length)
    assert.ok(isSame((await (await open().get(`again-${bytes}`))?.bytes()) ?? new Uint8Array(), small))
    failFirst(3, { cutRequest: bytes }, /^PUT/)
    assert.is(await catchFailure(open().put(`never-${bytes}`, createStream(cut(small, 999)))), "files_unavailable")
    assert.is(await open().head(`never-${bytes}`), null)
  }
})

test("a large upload whose connection is lost is repeated, or leaves no part, wherever the connection is lost", async () => {
  for (const [place, fits] of [
    [{ cutRequest: 0 }, /^POST .*\?uploads=/],
    [{ cutAnswer: 10 }, /^POST .*\?uploads=/],
    [{ cutRequest: 0 }, /partNumber=1/],
    [{ cutRequest: 8_388_607 }, /partNumber=2/],
    [{ cutAnswer: 0 }, /partNumber=2/],
    [{ cutRequest: 499_999 }, /partNumber=3/],
    [{ cutRequest: 0 }, /^POST .*\?uploadId=/],
    [{ status: 503 }, /partNumber=1/],
  ] as const) {
    const name = `large-${JSON.stringify(place).replace(/\W/g, "")}${fits.source.length}`
    failFirst(1, place, fits)
    assert.is(await open().put(name, createStream([large])), large.length)
    assert.ok(isSame((await (await open().get(name))?.bytes()) ?? new Uint8Array(), large), name)
    await open().delete(name)
    failFirst(3, place, fits)
    server.requests.length = 0
    assert.is(await catchFailure(open().put(name, createStream([large]))), "files_unavailable", name)
    assert.is(await open().head(name), null)
    if (!/uploads/.test(fits.source))
      assert.ok(
        server.requests.some((request) => /^DELETE .*uploadId=/.test(request)),
        name,
      )
  }
})

test("a large file whose last answer is lost is stored", async () => {
  failFirst(1, { cutAnswer: 0 }, /^POST .*\?uploadId=/)
  assert.is(await open().put("last-answer", large), large.length)
  assert.is((await open().head("last-answer"))?.size, large.length)
})

test("a download whose connection is lost fails, and never just ends early, wherever the connection is lost", async () => {
  await open().put("download", small)
  const app = new App({ logger: false })
  app.get("/", (c) => c.file(open(), "download"))
  for (let bytes = 0; bytes < small.length; bytes += 16_384) {
    server.fault = ({ method }) => (method === "GET" ? { cutAnswer: bytes } : undefined)
    assert.is.not(
      await catchFailure(
        open()
          .get("download")
          .then((file) => file?.bytes()),
      ),
      "done",
    )
    assert.is.not(
      await catchFailure(
        app.request("/").then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(answer))),
      ),
      "done",
    )
  }
})

test("an error of S3 is a 503, the call can be repeated, and no key is shown", async () => {
  const app = new App({ logger: false })
  let seen: unknown
  app.use((next) => async (c) => {
    const answer = await next(c)
    seen = c.error
    return answer
  })
  const secretAccessKey = "this-is-the-secret"
  const wrong = open({ credentials: { ...server.credentials, secretAccessKey } })
  app.get("/wrong", async () => new Response((await wrong.get("a"))?.body ?? null))
  app.get("/file", (c) => c.file(wrong, "a"))
  app.get("/down", (c) => c.file(open({ endpoint: "http://127.0.0.1:1" }), "a"))
  app.get("/slow", (c) => c.file(open({ timeout: 0.02 }), "a"))
  server.fault = ({ url }) => (url?.includes("slow") ? { hang: true } : undefined)
  for (const path of ["/wrong", "/file", "/down", "/slow"]) {
    if (path === "/slow") server.fault = () => ({ hang: true })
    const answer = await app.request(path)
    assert.is(answer.status, 503, path)
    assert.is(answer.headers.get("retry-after"), "1")
    const shown = [await answer.text(), inspectAll(seen)].join()
    for (const secret of [secretAccessKey, server.credentials.secretAccessKey, "Signature=", "StringToSign"])
      assert.not.match(shown, secret)
  }
  server.fault = undefined
  const error = await wrong.get("a").catch((error: FwError) => error)
  assert.is((error as FwError).code, "files_unavailable")
  assert.match(String(((error as FwError).cause as Error).message), "S3 answered 403 SignatureDoesNotMatch")
})

/** Returns an error with its causes, as a log shows it. */
function inspectAll(error: unknown): string {
  const { message, stack, cause } = Object(error) as Error
  return error === undefined ? "" : [message, stack, JSON.stringify(error), inspectAll(cause)].join()
}

test("a signed URL of a file works, and does not work after any change", async () => {
  const files = open()
  await files.put("addresses/ä b+c.txt", "hello")
  const url = await files.url("addresses/ä b+c.txt", { expires: 60, download: "x y+z.txt" })
  // A plus sign is a space only if a server reads the query as a form.
  assert.not.ok(url.includes("+"))
  const answer = await fetch(url)
  assert.is(await answer.text(), "hello")
  assert.is(answer.headers.get("content-disposition"), 'attachment; filename="x y+z.txt"')
  const parts = [...new URL(url).searchParams.keys()]
  assert.ok(parts.length >= 7)
  for (const name of parts) {
    for (const change of [
      (query: URLSearchParams) => query.set(name, `${query.get(name)}1`),
      (query: URLSearchParams) => query.delete(name),
    ]) {
      const changed = new URL(url)
      change(changed.searchParams)
      const refused = await fetch(changed.href.replaceAll("+", "%20"))
      assert.ok(refused.status === 403 || refused.status === 400, `${name}: ${refused.status}`)
      assert.not.match(await refused.text(), "hello")
    }
  }
  for (const changed of [
    url.replace("addresses/", "addresses2/"),
    url.replace("c.txt", "d.txt"),
    url.replace("/photos/", "/other/"),
  ])
    assert.is((await fetch(changed)).status, 403)
  assert.is((await fetch(url, { method: "DELETE" })).status, 403)
  assert.is((await fetch(url, { method: "PUT", body: "x" })).status, 403)
})

test("files that a browser would run are downloaded, unless the URL says otherwise", async () => {
  await open().put("page.html", "<p>")
  const dispositions = await Promise.all(
    [{}, { download: false }, { download: true }].map(async (options) =>
      (await fetch(await open().url("page.html", options))).headers.get("content-disposition"),
    ),
  )
  const saved = 'attachment; filename="page.html"'
  assert.equal(dispositions, [saved, null, saved])
})

test("a form stores one file, and does not work if any field is changed", async () => {
  const files = open()
  const send = async (change: (form: FormData) => unknown = () => {}, content = "x".repeat(10)) => {
    const { url, fields } = await files.form("forms/a.png", { maxSize: 10, redirect: "https://shop.example/done" })
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    change(body)
    body.append("file", new File([content], "evil.html", { type: "text/html" }))
    return fetch(url, { method: "POST", body, redirect: "manual" })
  }
  const answer = await send()
  assert.is(answer.status, 303)
  assert.match(answer.headers.get("location") ?? "", "https://shop.example/done")
  const { type, size } = (await files.head("forms/a.png")) ?? { type: "", size: 0 }
  assert.equal({ type, size }, { type: "image/png", size: 10 })
  const { fields } = await files.form("forms/a.png", { maxSize: 10, redirect: "https://shop.example/done" })
  for (const name of Object.keys(fields)) {
    assert.is((await send((form) => form.set(name, `${form.get(name)}1`))).status, 403, name)
    assert.is((await send((form) => form.delete(name))).status, 403, name)
  }
  assert.is((await send((form) => form.set("x-amz-meta-more", "1"))).status, 403)
  assert.is((await send(undefined, "x".repeat(11))).status, 403)
})

test("an interrupted upload continues in another process with its complete parts", async () => {
  const type = "video/mp4"
  const first = await open().upload("talk", { type })
  const problem = new Error("the client has gone")
  assert.is(
    await first.write(createStream(cut(large.subarray(0, 10_000_000), 1_000_000), problem)).catch((error) => error),
    problem,
  )
  assert.is(await open().head("talk"), null)

  const second = await open().upload("talk", { id: first.id })
  assert.is(second.size, 8 * 1024 * 1024)
  failFirst(3, { cutRequest: 100_000 }, /partNumber=3/)
  assert.is(await catchFailure(second.write(large.subarray(second.size))), "files_unavailable")

  const third = await open().upload("talk", { id: first.id })
  assert.is(third.size, 2 * 8 * 1024 * 1024)
  assert.is(await third.write(large.subarray(third.size)), large.length)
  const found = await open().get("talk")
  assert.is(found?.type, type)
  assert.ok(isSame((await found?.bytes()) ?? new Uint8Array(), large))

  assert.is(await catchFailure(open().upload("talk", { id: first.id })), "files")
  const aborted = await open().upload("talk-2")
  await aborted.write(createStream([large], problem)).catch(() => {})
  await aborted.abort()
  assert.is(await catchFailure(open().upload("talk-2", { id: aborted.id })), "files")
  const more = await open().upload("five")
  await more.write(createStream(cut(makeBytes(40 * 1024 * 1024), 1_000_000), problem)).catch(() => {})
  assert.is((await open().upload("five", { id: more.id })).size, 5 * 8 * 1024 * 1024)
  assert.is(await (await open().upload("empty")).write(""), 0)
  assert.is((await open().head("empty"))?.size, 0)
})

test("a stream is read no faster than it is stored, four parts at the same time", async () => {
  let made = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      made += 1
      controller.enqueue(new Uint8Array(1024 * 1024))
    },
  })
  server.fault = ({ url }) => (url?.includes("partNumber=1") ? { hang: true } : undefined)
  const stored = catchFailure(open({ timeout: 0.3 }).put("endless", endless))
  assert.is(await stored, "files_unavailable")
  // Four parts are being sent or wait for the first, and one is read ahead.
  assert.ok(made <= 44, `${made} MiB were read of which 32 were sent`)
  server.fault = ({ url }) => (url?.includes("partNumber=") ? { hang: true } : undefined)
  server.requests.length = 0
  const five = createStream(cut(makeBytes(40 * 1024 * 1024), 1_000_000))
  assert.is(await catchFailure(open({ timeout: 0.3 }).put("five-parts", five)), "files_unavailable")
  const begun = server.requests.flatMap((request) => /partNumber=(\d+)/.exec(request)?.[1] ?? [])
  assert.equal([...new Set(begun)].sort(), ["1", "2", "3", "4"])
})

test.run()

/**
 * Tests of `fw css install`: downloads that succeed and fail, from a local mirror whose files contain any bytes.
 */
import { statSync, writeFileSync } from "node:fs"
import type { RequestListener, ServerResponse } from "node:http"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { ensureCSS } from "../../../bin/css/binary.ts"
import type { FwError } from "../../../lib/errors.ts"
import { fakeIo, fw, project, type World } from "../../support/bin/cli/command.ts"
import {
  asset,
  bytes,
  cached,
  chooseMirrors,
  kept,
  keptIsWhole,
  serve,
  sha256,
} from "../../support/bin/css/css-mirror.ts"

const mirror = chooseMirrors(test)

const install = (home: string, base: string, world: World = {}) =>
  fw(["css", "install"], { ...world, env: { HOME: home, FW_CSS_BASE_URL: base, ...world.env } })

test("fw css install downloads the compiler once, verifies it, and keeps it for all projects", async () => {
  const home = project({})
  const { url, asked } = await mirror(serve(bytes))
  const first = await install(home, `${url}/v4/`)
  const path = join(home, ".cache/fw/bin", kept)
  assert.equal(first, {
    code: 0,
    stdout: `The CSS compiler is installed: ${path}\n`,
    stderr: "Downloading the CSS compiler v4.0.0, 3.0 MB\n",
  })
  assert.is(keptIsWhole(home), true)
  assert.is(statSync(path).mode & 0o777, 0o755)
  assert.equal(cached(home), [kept])
  assert.equal(asked, ["/v4/sha256sums.txt", `/v4/${asset}`])

  const env = { HOME: home, FW_CSS_BASE_URL: url }
  const again = await fw(["css", "install", "--json"], { env })
  assert.equal(JSON.parse(again.stdout), {
    success: true,
    data: { version: null, binary: path, present: true },
  })
  assert.is(again.stderr, "")
  assert.is(asked.length, 2)
})

test("a terminal shows the progress of the download until the download ends", async () => {
  const { url } = await mirror(serve(bytes))
  const { stderr } = await install(project({}), url, { isTerminal: true })
  const [, ...shown] = stderr.split("\r\x1b[K")
  assert.match(shown.at(-2) as string, /^Downloading the CSS compiler v4\.0\.0: [1-3]\.\d MB of 3\.0 MB$/)
  assert.is(stderr.endsWith("\r\x1b[K"), true)
})

test("a redirect is followed, and the password is sent only to the mirror", async () => {
  const home = project({})
  const far = await mirror(serve(bytes))
  const { url, headers } = await mirror((request, response) => {
    if (request.headers.authorization !== `Basic ${Buffer.from("me:p@ss").toString("base64")}`) {
      return void response.writeHead(401).end()
    }
    response.writeHead(302, { location: `${far.url}/elsewhere${request.url}` }).end()
  })
  const base = url.replace("//", "//me:p%40ss@")
  const { code, stdout, stderr } = await install(home, `${base}/?token=s3cret`)
  assert.is(code, 0)
  assert.is(headers.length, 2)
  assert.equal(
    far.asked,
    ["sha256sums.txt", asset].map((file) => `/elsewhere/${file}?token=s3cret`),
  )
  assert.is(
    far.headers.some(({ authorization }) => authorization !== undefined),
    false,
  )
  assert.not.match(stdout + stderr, /p@ss|p%40ss|s3cret/)
})

const half = bytes.subarray(0, 1_500_000)
const failures: ReadonlyArray<readonly [name: string, code: string, message: RegExp, answer: RequestListener]> = [
  ["a missing compiler", "css_download", /linux-x64 answers 404/, serve(bytes, (r) => r.writeHead(404).end())],
  ["a missing list of digests", "css_no_digest", /answers 404/, (_, r) => r.writeHead(404).end()],
  ["a list without the compiler", "css_no_digest", /does not list it/, (_, r) => r.end(`${sha256(bytes)} other\n`)],
  [
    "a list that is not a list of digests",
    "css_no_digest",
    /does not list it/,
    (_, r) => r.end(`<html>${asset}</html>`),
  ],
  ["other bytes", "css_digest", /has the SHA-256 .* not /, serve(bytes, (r) => r.end(Buffer.alloc(bytes.length)))],
  ["fewer bytes than promised", "css_download", /stopped before its end/, serve(bytes, (r) => cut(r))],
  [
    "a chunked answer without its end",
    "css_download",
    /stopped before its end/,
    serve(bytes, (r) => {
      r.removeHeader("content-length")
      cut(r)
    }),
  ],
  ["a connection that is cut at once", "css_download", /cannot reach/, (_, r) => r.destroy()],
]

function cut(response: ServerResponse): void {
  response.write(half, () => response.destroy())
}

for (const [what, code, message, answer] of failures) {
  test(`${what} is an error, and no file remains`, async () => {
    const home = project({})
    const { url } = await mirror(answer)
    const world = { env: { HOME: home, FW_CSS_BASE_URL: url.replace("//", "//me:secret@") } }
    const ran = await fw(["css", "install", "--json"], world)
    const { error } = JSON.parse(ran.stdout) as { error: { code: string; message: string; fix: string } }
    assert.is(ran.code, 1)
    assert.is(error.code, code)
    assert.match(error.message, message)
    assert.not.match(ran.stdout + ran.stderr, "secret")
    assert.equal(cached(home), [])
  })
}

for (const [what, answer] of [
  ["before the answer", () => {}],
  ["in the middle of the file", serve(bytes, (response) => void response.write(half))],
] as const) {
  test(`a server that stops sending ${what} is an error`, async () => {
    const home = project({})
    const { url } = await mirror(answer)
    const { io } = fakeIo({ env: { HOME: home, FW_CSS_BASE_URL: url } })
    const error = await ensureCSS(io, { stall: 100 }).catch((error: FwError) => error)
    assert.is((error as FwError).code, "css_download")
    assert.match((error as FwError).message, "sent nothing for 0.1 s")
    assert.equal(cached(home), [])
  })
}

test("fw css install waits for a slow server that keeps sending", async () => {
  const { url } = await mirror(
    serve(bytes, (response) => {
      const size = Math.ceil(bytes.length / 12)
      let at = 0
      const next = () => {
        if (at >= bytes.length) return void response.end()
        response.write(bytes.subarray(at, at + size))
        at += size
        setTimeout(next, 200)
      }
      next()
    }),
  )
  const { io } = fakeIo({ env: { HOME: project({}), FW_CSS_BASE_URL: url } })
  // The whole download takes longer than the longest pause that is allowed, which is ten times a usual one.
  assert.is((await ensureCSS(io, { stall: 2000 })).installed, true)
})

const addresses: ReadonlyArray<readonly [base: string, message: RegExp]> = [
  ["ftp://me:secret@mirror.example/x?secret", /ftp:\/\/mirror\.example\/x, which is not an http or https URL$/],
  ["https//me:secret@x", /https\/\/x, which is not an http or https URL$/],
  [
    "http://me:secret@127.0.0.1:1/x",
    /cannot reach http:\/\/127\.0\.0\.1:1\/x\/sha256sums\.txt: .*ECONNREFUSED|bad port/,
  ],
]
for (const [base, message] of addresses) {
  test(`no error about the mirror ${base} shows its password`, async () => {
    const { code, stderr } = await install(project({}), base)
    assert.is(code, 1)
    assert.match(stderr.split("\n")[0] as string, message)
    assert.not.match(stderr, "secret")
  })
}

test("FW_CSS_SHA256 replaces the list of digests, and must be a digest", async () => {
  const { url, asked } = await mirror(serve(bytes))
  const right = { env: { FW_CSS_SHA256: sha256(bytes).toUpperCase() } }
  assert.is((await install(project({}), url, right)).code, 0)
  assert.equal(asked, [`/${asset}`])
  const wrong = await install(project({}), url, { env: { FW_CSS_SHA256: "1".repeat(64) } })
  assert.match(wrong.stderr, `not ${"1".repeat(64)}`)
  const none = await install(project({}), url, { env: { FW_CSS_SHA256: "latest" } })
  assert.match(none.stderr, "FW_CSS_SHA256 is latest, which is not a SHA-256 digest")
})

test("a cache that cannot be written is an error that names the directory of the cache", async () => {
  const { url } = await mirror(serve(bytes))
  const { code, stderr } = await install(project({ ".cache": "a file" }), url)
  assert.is(code, 1)
  assert.match(stderr, /error: the CSS compiler cannot be written to .*\.cache\/fw\/bin: ENOTDIR/)
})

test("the program in FW_CSS_BINARY is used unchanged, and the error names it if the file is missing", async () => {
  const cwd = project({ "tools/css": "x" })
  const world = { cwd, env: { HOME: cwd, FW_CSS_BINARY: "tools/css" } }
  assert.match((await fw(["css", "install"], world)).stdout, `already installed: ${join(cwd, "tools/css")}`)
  const gone = { cwd, env: { HOME: cwd, FW_CSS_BINARY: "tools/gone" } }
  const { code, stderr } = await fw(["css", "install"], gone)
  assert.is(code, 1)
  assert.match(stderr, `FW_CSS_BINARY is ${join(cwd, "tools/gone")}, but there is no such file`)
  writeFileSync(join(cwd, "tools/gone"), "")
  const info = JSON.parse((await fw(["css", "info", "--json"], gone)).stdout)
  assert.is(info.data.version, null)
})

test.run()

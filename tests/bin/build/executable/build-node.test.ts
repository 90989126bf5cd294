/**
 * Tests of the Node program in executables: it is downloaded once, both of its digests are verified before each
 * use, and an incomplete one is never cached.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { dirname, join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { ensureNode, getNodePath, type NodeSource } from "../../../../bin/build/executable/node-binary.ts"
import {
  findNodePackage,
  machineNames,
  nodeVersion,
  processors,
  systems,
} from "../../../../bin/build/executable/node-release.ts"
import { readAuthorization } from "../../../../bin/build/executable/registry.ts"
import { packTar } from "../../../../bin/system/tar.ts"
import type { FwError } from "../../../../lib/errors.ts"
import { createPin, machine, nodeBytes, packagePath, published } from "../../../support/bin/build/node-registry.ts"
import { fakeIo, project, type World } from "../../../support/bin/cli/command.ts"
import { chooseMirrors } from "../../../support/bin/css/css-mirror.ts"

const mirror = chooseMirrors(test)

type Send = (response: ServerResponse) => void

const registry = (send: Send = (response) => response.end(published)) =>
  mirror((_, response) => {
    response.setHeader("content-length", published.length)
    send(response)
  })

/** Installs Node from a mirror, as the command does. */
function install(home: string, url: string, source: NodeSource = {}, world: World = {}) {
  const { io, stderr } = fakeIo({ cwd: home, ...world, env: { HOME: home, ...world.env } })
  const from: NodeSource = {
    findPackage: () => createPin(published),
    registry: async () => ({ base: new URL(url), authorization: undefined }),
    ...source,
  }
  return { done: ensureNode(machine, io, from), stderr }
}

const kept = (home: string) => getNodePath({ env: { HOME: home } }, machine)
function cached(home: string): string[] {
  const folder = dirname(kept(home))
  return existsSync(folder) ? readdirSync(folder) : []
}

test("Node is downloaded once, kept for all projects, and is executable", async () => {
  const home = project({})
  const { url, asked } = await registry()
  const first = install(home, `${url}/npm/`)
  assert.is(await first.done, kept(home))
  assert.is(first.stderr(), `Downloading Node ${nodeVersion} for linux/arm64, 2.0 MB\n`)
  assert.equal(readFileSync(kept(home)), nodeBytes)
  assert.is(statSync(kept(home)).mode & 0o777, 0o755)
  assert.equal(cached(home), [`node-v${nodeVersion}-linux-arm64`])
  const again = install(home, url)
  await again.done
  assert.is(again.stderr(), "")
  assert.equal(asked, [`/npm${packagePath}`])
})

test("a terminal shows the progress of the download of Node", async () => {
  const { url } = await registry()
  const { done, stderr } = install(project({}), url, {}, { isTerminal: true })
  await done
  assert.match(stderr(), /Downloading Node [\d.]+ for linux\/arm64: [12]\.\d MB of 2\.0 MB/)
  assert.is(stderr().endsWith("\r\x1b[K"), true)
})

test("a cached Node that is damaged is downloaded again", async () => {
  const home = project({})
  const { url, asked } = await registry()
  await install(home, url).done
  const bytes = Buffer.from(nodeBytes)
  bytes[1_000_000] = 0
  writeFileSync(kept(home), bytes)
  await install(home, url).done
  assert.equal(readFileSync(kept(home)), nodeBytes)
  assert.is(asked.length, 2)
})

const other = packTar([{ path: "bin/node", bytes: Buffer.alloc(2_000_001, "evil ") }])
const failures: ReadonlyArray<readonly [what: string, code: string, message: RegExp, send: Send]> = [
  ["404", "node_download", /answers 404/, (r) => r.writeHead(404).end()],
  ["401", "node_download", /answers 401/, (r) => r.writeHead(401).end()],
  [
    "another package",
    "node_digest",
    /has the integrity .* not /,
    (r) => {
      r.setHeader("content-length", other.length)
      r.end(other)
    },
  ],
  [
    "a web page",
    "node_digest",
    /has the integrity .* not /,
    (r) => {
      r.removeHeader("content-length")
      r.end("<html>Sign in</html>")
    },
  ],
  [
    "half of the package",
    "node_download",
    /stopped before its end/,
    (r) => {
      r.write(published.subarray(0, 1_000_000), () => r.destroy())
    },
  ],
]
for (const [what, code, message, send] of failures) {
  test(`a registry that answers with ${what} is an error, and nothing is cached`, async () => {
    const home = project({})
    const { url } = await registry(send)
    const error = await failure(install(home, url).done)
    assert.is(error.code, code)
    assert.match(error.message, message)
    assert.equal(cached(home), [])
  })
}

async function failure(done: Promise<unknown>): Promise<FwError> {
  return done.then(
    () => assert.unreachable("Node was installed, although the test expects an error") as never,
    (error: FwError) => error,
  )
}

test("a package whose program has another digest is refused, even if its integrity is right", async () => {
  const home = project({})
  const { url } = await registry()
  const pin = { ...createPin(published), sha256: "0".repeat(64) }
  const error = await failure(install(home, url, { findPackage: () => pin }).done)
  assert.is(error.code, "node_digest")
  assert.equal(cached(home), [])
})

test("a registry that stops sending ends the download with an error", async () => {
  const home = project({})
  const { url } = await registry((response) => void response.write(published.subarray(0, 10)))
  const error = await failure(install(home, url, { limits: { stall: 50 } }).done)
  assert.is(error.code, "node_download")
  assert.match(error.message, /sent nothing for 0.05 s/)
  assert.equal(cached(home), [])
})

test("Ctrl-C during the download of Node leaves nothing in the cache", async () => {
  const home = project({})
  const abort = new AbortController()
  const { url } = await registry((response) => {
    response.write(published.subarray(0, 1_000_000), () => abort.abort())
  })
  const error = await failure(install(home, url, {}, { signal: abort.signal }).done)
  assert.is(error.name, "AbortError")
  assert.equal(cached(home), [])
})

test("two downloads of Node at the same time leave one whole file", async () => {
  const home = project({})
  const waiting: ServerResponse[] = []
  const { url } = await registry((response) => {
    response.write(published.subarray(0, 1_000_000))
    if (waiting.push(response) === 2) for (const one of waiting) one.end(published.subarray(1_000_000))
  })
  await Promise.all([install(home, url).done, install(home, url).done])
  assert.equal(readFileSync(kept(home)), nodeBytes)
  assert.is(cached(home).length, 1)
})

test("FW_NODE_PACKAGES names a directory with packages that npm pack wrote, and they are verified and used", async () => {
  const home = project({})
  const name = `node-test-${nodeVersion}.tgz`
  mkdirSync(join(home, "packages"))
  const world = { env: { FW_NODE_PACKAGES: "packages" } }
  const missing = await failure(install(home, "http://127.0.0.1:9/", {}, world).done)
  assert.is(missing.code, "node_download")
  assert.match(missing.fix, /npm pack/)
  writeFileSync(join(home, "packages", name), other)
  assert.is((await failure(install(home, "http://127.0.0.1:9/", {}, world).done)).code, "node_digest")
  writeFileSync(join(home, "packages", name), published)
  await install(home, "http://127.0.0.1:9/", {}, world).done
  assert.equal(readFileSync(kept(home)), nodeBytes)
})

test("a token is sent to the registry, and no message contains it", async () => {
  const home = project({})
  const { url, headers } = await registry((response) => response.writeHead(403).end())
  const source = { registry: async () => ({ base: new URL(url), authorization: "Bearer s3cret" }) }
  const error = await failure(install(home, url, source).done)
  assert.is(headers[0]?.authorization, "Bearer s3cret")
  assert.not.match(error.message + error.fix, /s3cret/)
})

const base = new URL("https://npm.example/team/npm/")
const settings: ReadonlyArray<readonly [npmrc: string, authorization: string | undefined]> = [
  ["//npm.example/team/npm/:_authToken=abc", "Bearer abc"],
  ["//npm.example/team/:_authToken = abc", "Bearer abc"],
  ['//npm.example/:_authToken="abc"', "Bearer abc"],
  ["//npm.example/:_authToken=${TOKEN}", "Bearer from-env"],
  ["//npm.example/:_auth=dXNlcjpwdw==", "Basic dXNlcjpwdw=="],
  ["//npm.example/:_authToken=far\n//npm.example/team/:_authToken=near", "Bearer near"],
  ["//other.example/:_authToken=abc", undefined],
  ["//npm.example/team/npm2/:_authToken=abc", undefined],
  ["_authToken=abc\nregistry=https://npm.example/", undefined],
  ["", undefined],
]
for (const [npmrc, authorization] of settings) {
  test(`.npmrc with ${JSON.stringify(npmrc)} gives ${authorization ? "the authorization" : "no authorization"}`, () => {
    assert.is(readAuthorization(npmrc, base, { TOKEN: "from-env" }), authorization)
  })
}

test("every machine except windows/arm64 has a Node with both digests", () => {
  for (const os of systems) {
    for (const arch of processors) {
      if (os === "windows" && arch === "arm64") {
        assert.throws(() => findNodePackage({ os, arch }), /no Node [\d.]+ package for windows\/arm64/)
        continue
      }
      const { integrity, sha256, file } = findNodePackage({ os, arch })
      assert.match(integrity, /^sha512-[A-Za-z0-9+/]{86}==$/)
      assert.match(sha256, /^[0-9a-f]{64}$/)
      assert.is(file, os === "windows" ? "bin/node.exe" : "bin/node")
    }
  }
  assert.is(machineNames.length, 5)
})

test.run()

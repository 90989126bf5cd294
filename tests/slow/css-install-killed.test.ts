/** Tests of several `fw css install` at the same time, and of installs that are stopped at different moments. */
import { utimesSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { fw, project } from "../support/bin/cli/command.ts"
import { bytes, cached, chooseMirrors, kept, keptIsWhole, serve, startInstall } from "../support/bin/css/css-mirror.ts"

const mirror = chooseMirrors(test)

const half = bytes.subarray(0, 1_500_000)
const install = (home: string, base: string) => fw(["css", "install"], { env: { HOME: home, FW_CSS_BASE_URL: base } })

test("three installs at the same time leave one whole file, and none removes the file of another", async () => {
  const home = project({})
  const waiting: ServerResponse[] = []
  const { url } = await mirror(
    serve(bytes, (response) => {
      response.write(half)
      // When the last process requests the file, all have removed old temporary files. Only then do they go on.
      if (waiting.push(response) === 3) for (const one of waiting) one.end(bytes.subarray(half.length))
    }),
  )
  const runs = [install(home, url), startInstall(home, url).ended, startInstall(home, url).ended]
  assert.equal(
    (await Promise.all(runs)).map(({ code }) => code),
    [0, 0, 0],
  )
  assert.equal(cached(home), [kept])
  assert.is(keptIsWhole(home), true)
})

test("partial files of installs on other machines are removed after an hour", async () => {
  const partial = (random: string) => `.${kept}.elsewhere.1.${random}.partial`
  const [old, young] = [partial("0123456789ab"), partial("ba9876543210")]
  const home = project({ [`.cache/fw/bin/${old}`]: "x", [`.cache/fw/bin/${young}`]: "x" })
  utimesSync(join(home, ".cache/fw/bin", old), new Date(), new Date(Date.now() - 3_700_000))
  const { url } = await mirror(serve(bytes))
  assert.is((await install(home, url)).code, 0)
  assert.equal(cached(home), [young, kept])
})

/** The moments of a download, as the number of bytes that the mirror has sent when the signal is sent. */
const moments = [-1, 0, 1, half.length, bytes.length - 1, bytes.length]
for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
  test(`${signal} at any moment leaves no broken file`, async () => {
    await Promise.all((signal === "SIGKILL" ? moments : moments.slice(1, 4)).map((sent) => interrupt(signal, sent)))
  })
}

async function interrupt(signal: NodeJS.Signals, sent: number): Promise<void> {
  const home = project({})
  let reached = () => {}
  const there = new Promise<void>((resolve) => {
    reached = resolve
  })
  const { url } = await mirror((request, response) => {
    // -1 means before the file is requested.
    if (sent < 0) return reached()
    serve(bytes, () => {
      response.flushHeaders()
      response.write(bytes.subarray(0, sent), () => reached())
    })(request, response)
  })
  const { child, ended } = startInstall(home, url)
  await there
  child.kill(signal)
  const end = await ended
  const left = cached(home)
  if (left.includes(kept)) assert.is(keptIsWhole(home), true)
  else if (signal !== "SIGKILL") assert.equal({ ...end, left }, { code: 130, signal: null, left: [] })
  const good = await mirror(serve(bytes))
  assert.is((await install(home, good.url)).code, 0)
  assert.equal(cached(home), [kept])
}

test.run()

/**
 * Tests of `fw build` that is stopped at each of its steps: no file is half written, no process remains, and the
 * next build works.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { readFileMachines } from "../../bin/build/binary-format.ts"
import { build, listProcesses } from "../support/bin/build/executables.ts"
import { program } from "../support/bin/cli/command.ts"
import { makeProject, route } from "../support/bin/dev/dev-project.ts"

/** The files of a build while it runs. */
interface Signs {
  readonly root: string
  /** Returns the files of this build in `.fw/`. */
  readonly workplace: () => string[]
}

/** The steps of a build in order, and functions that recognize each by the first file that it creates. */
const moments: ReadonlyArray<readonly [name: string, isThere: (signs: Signs) => boolean]> = [
  ["at its start", () => true],
  ["when the routes are written", ({ root }) => existsSync(join(root, ".fw/routes.ts"))],
  ["when its working directory is made", ({ workplace }) => workplace().length > 0],
  ["while symbols are stripped", ({ workplace }) => inside(workplace(), "node")],
  ["when the builder gets its configuration", ({ workplace }) => inside(workplace(), "sea.json")],
  ["while the executable is written", ({ root }) => written(root, ".partial")],
]

function inside([directory]: string[], name: string): boolean {
  return directory !== undefined && existsSync(join(directory, name))
}

function written(root: string, part: string): boolean {
  return existsSync(join(root, "bin")) && readdirSync(join(root, "bin")).some((name) => name.includes(part))
}

/** Starts builds until one is seen in the wanted step: on a busy machine, a build may pass it unnoticed. */
async function until(root: string, isThere: (signs: Signs) => boolean): Promise<ChildProcess> {
  for (;;) {
    const child = await watch(root, isThere)
    if (child.exitCode === null) return child
    assert.is(child.exitCode, 0)
    for (const name of [".fw", "bin"]) rmSync(join(root, name), { recursive: true, force: true })
  }
}

/** Starts a build, and returns it when it has reached the step or has ended. */
async function watch(root: string, isThere: (signs: Signs) => boolean): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, "build", "-o", "bin/app"], { cwd: root, stdio: "ignore" })
  const fw = join(root, ".fw")
  const workplace = () =>
    existsSync(fw)
      ? readdirSync(fw)
          .filter((name) => name.startsWith(".work."))
          .map((name) => join(fw, name))
      : []
  while (child.exitCode === null && !isThere({ root, workplace })) await delay(1)
  return child
}

for (const signal of ["SIGKILL", "SIGINT", "SIGTERM"] as const) {
  // The command handles SIGTERM like SIGINT.
  for (const [name, isThere] of signal === "SIGTERM" ? moments.slice(-1) : moments) {
    test(`${signal} ${name} leaves no half-written file`, async () => {
      const root = makeProject({ "app/api/hello/route.ts": route("hello") })
      const child = await until(root, isThere)
      const ended = new Promise((resolve) => child.once("close", resolve))
      assert.is(child.exitCode, null, "the build ended before the signal")
      child.kill(signal)
      await ended
      // A guard process ends everything that a killed command had started, which takes a moment.
      while (listProcesses(root).length > 0) await delay(5)
      const app = join(root, "bin/app")
      if (existsSync(app)) assert.equal(readFileMachines(app), [{ os: "linux", arch: "amd64" }])
      if (signal !== "SIGKILL") {
        assert.equal(leftIn(root), [], "the build left partial files")
        // Before the command listens for signals, they end it with their default action.
        assert.is(child.exitCode ?? child.signalCode, child.signalCode === null ? 130 : signal)
      }
      if (signal === "SIGKILL" && isLast(name)) await again(root)
    })
  }
}

function isLast(name: string): boolean {
  return name === moments.at(-1)?.[0]
}

function leftIn(root: string): string[] {
  return [".fw", "bin"]
    .filter((name) => existsSync(join(root, name)))
    .flatMap((name) => readdirSync(join(root, name)))
    .filter((name) => name.includes("partial"))
}

/** Checks that the next build removes what the killed one left, and writes a complete executable. */
async function again(root: string): Promise<void> {
  assert.ok(leftIn(root).length > 0)
  const { code, stderr } = await build(root, ["-o", "bin/app"])
  assert.is(code, 0, stderr)
  assert.equal(leftIn(root), [])
  assert.ok(readFileSync(join(root, "bin/app")).length > 100_000_000)
}

test.run()

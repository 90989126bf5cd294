/**
 * Tests of commands that are killed at many moments: no file is half written or corrupt, and no process remains.
 * Only on Linux, because the tests read /proc.
 */

import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { program } from "../support/bin/cli/command.ts"
import { linkPackages, machine, readTexts } from "../support/bin/new/new-world.ts"

/** The number of moments at which a run is killed, evenly over the time of an undisturbed run. */
const moments = 8

interface Run {
  readonly cwd: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

interface Killed {
  /** Null if a signal ended the process. */
  readonly code: number | null
  readonly stdout: string
}

/**
 * Returns the processes that inherited a mark in their environment: all processes that a run has started, at any
 * depth.
 */
function marked(mark: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const state = /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
      return state !== "Z" && readFileSync(`/proc/${pid}/environ`, "latin1").includes(mark)
    } catch {
      // The process has ended meanwhile.
      return false
    }
  })
}

/** Runs the command, kills it after a number of milliseconds, and waits until none of its processes runs. */
async function run({ cwd, args, env }: Run, signal?: NodeJS.Signals, after = 0): Promise<Killed> {
  const mark = randomBytes(12).toString("hex")
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...env, FW_TEST_MARK: mark } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "ignore"],
  })
  let stdout = ""
  child.stdout.on("data", (chunk) => {
    stdout += chunk
  })
  const timer = signal && setTimeout(() => child.kill(signal), after)
  const [code] = await once(child, "exit")
  clearTimeout(timer)
  // After a kill, guard processes end the remaining ones. The test's time limit applies to them too.
  while (marked(mark).length > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  return { code, stdout }
}

/** Returns everything below a directory, with sizes. */
function listing(root: string, path = ""): string[] {
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const inner = path === "" ? entry.name : `${path}/${entry.name}`
    return entry.isDirectory() ? listing(root, inner) : [`${inner} ${statSync(join(root, inner)).size}`]
  })
}

const isPartial = (name: string) => /(?:^|\/)\.[^/]*\.partial/.test(name)

/** Makes an install take a while, in a process two levels below the command. */
const slowInstall = { FAKE_INSTALL_SECONDS: "0.4" }

for (const signal of ["SIGINT", "SIGKILL"] as const) {
  test(`if ${signal} ends fw new, the project is complete or does not exist, and the next run works`, async () => {
    const world = machine({ env: slowInstall })
    const order = { ...world, args: ["new", "shop", "--skip-prompts"] }
    const began = performance.now()
    assert.is((await run(order)).code, 0)
    let takes = performance.now() - began
    const whole = Object.keys(readTexts(join(world.cwd, "shop"))).sort()
    let interrupted = 0
    for (let moment = 0; moment < moments; moment += 1) {
      rmSync(join(world.cwd, "shop"), { recursive: true, force: true })
      const started = performance.now()
      const { code } = await run(order, signal, (takes * moment) / moments)
      // The machine is faster than before, so the next run is killed earlier.
      if (code === 0) takes = Math.min(takes, performance.now() - started)
      const left = readdirSync(world.cwd)
      const made = left.includes("shop")
      if (!made) interrupted += 1
      if (made) {
        assert.equal(Object.keys(readTexts(join(world.cwd, "shop"))).sort(), whole)
        assert.ok(existsSync(join(world.cwd, "shop/.git/refs/heads/main")), "the project has no commit")
      }
      const others = left.filter((name) => name !== "shop")
      assert.ok(others.every(isPartial), others.join())
      if (signal === "SIGKILL") continue
      assert.equal(others, [], `files are left after moment ${moment}`)
      // Before the command listens for signals, the system ends it.
      assert.ok(made ? code === 0 || code === 130 : code === 130 || code === null, `exit code ${code}`)
    }
    assert.ok(
      interrupted >= moments / 2,
      `only ${interrupted} of ${moments} signals came before the project was complete`,
    )
    rmSync(join(world.cwd, "shop"), { recursive: true, force: true })
    assert.is((await run(order)).code, 0)
    assert.equal(readdirSync(world.cwd), ["shop"])
  })
}

/** Commands that write several files, generated code and a document. Other commands write in the same way. */
const lines: readonly (readonly string[])[] = [
  ["generate", "page", "users/[id]", "--with-layout"],
  ["generate", "templates"],
  ["openapi", "generate"],
]
for (const args of lines) {
  test(`if fw ${args.join(" ")} is killed, each file is complete or does not exist`, async () => {
    const world = machine()
    assert.is((await run({ ...world, args: ["new", "shop", "--skip-prompts"] })).code, 0)
    const cwd = join(world.cwd, "shop")
    rmSync(join(cwd, "node_modules"), { recursive: true })
    linkPackages(cwd)
    const ours = () => listing(cwd).filter((file) => !/^(?:\.git|node_modules)\//.test(file))
    const manifest = readFileSync(join(cwd, "package.json"))
    const reset = () => {
      for (const path of ["app/users", "openapi.json", ".fw"]) rmSync(join(cwd, path), { recursive: true, force: true })
      writeFileSync(join(cwd, "package.json"), manifest)
    }
    reset()
    const before = ours()
    const began = performance.now()
    const first = await run({ cwd, env: world.env, args })
    assert.is(first.code, 0, first.stdout)
    const takes = performance.now() - began
    const after = new Set([...before, ...ours()])
    for (const signal of ["SIGINT", "SIGKILL"] as const) {
      for (let moment = moments / 2; moment <= moments; moment += 1) {
        reset()
        await run({ cwd, env: world.env, args }, signal, (takes * moment) / moments)
        const strange = ours().filter((file) => !after.has(file))
        assert.ok(strange.every(isPartial), `${signal}: ${strange.join(", ")}`)
      }
    }
    reset()
    assert.is((await run({ cwd, env: world.env, args })).code, 0)
    assert.equal(
      ours().filter((file) => !after.has(file)),
      [],
      "the next run does not remove partial files",
    )
  })
}

test.run()

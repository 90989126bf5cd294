/** `npm test`: sets up, checks, runs every test file and example of a suite. With names, only what they occur in. */
import { readFileSync, rmSync } from "node:fs"
import { availableParallelism } from "node:os"
import { dirname, join } from "node:path"
import { TypesError } from "./build.mjs"
import { filesBelow, isMain, root, run, runScript, runTool, ScriptError } from "./common.mjs"
import { coverage } from "./coverage.mjs"
import { killAll, runJobs, testFile, testFilesTogether } from "./runner.mjs"
import { installRuntimes, runtimesDirectory } from "./runtimes.mjs"
import { longestFirst, readsTypes, suiteOf, togetherOrAlone } from "./schedule.mjs"
import { setup } from "./setup.mjs"
import { npmCache, sharedDirectory, temporaryDirectory } from "./temporary.mjs"

/** Seconds; a file that takes longer hangs. The slow suite starts browsers and package managers, the other one one runtime per file. */
const limits = { fast: 120, slow: 900, runtimes: 300 }

/** The result of a whole run. A check (types, lint, coverage, a skip) that fails counts as one. */
class Tally {
  passed = 0
  failed = 0

  /** @param {string} what @param {string} [problem] */
  check(what, problem) {
    if (problem === undefined) return console.log(`✓ ${what}`)
    this.failed += 1
    console.log(`✗ ${what}\n${indent(problem.trim())}\n`)
  }

  /** @param {import("./runner.mjs").Result} result */
  job({ name, passed, failed, skipped, problem, output, seconds }) {
    this.passed += passed
    this.failed += failed + (problem === undefined ? 0 : 1)
    const good = failed === 0 && problem === undefined
    const counts = `${passed} passed${failed ? `, ${failed} failed` : ""}${skipped ? `, ${skipped} skipped` : ""}`
    console.log(`${good ? "✓" : "✗"} ${name} (${counts}, ${seconds.toFixed(1)} s)`)
    if (!good) console.log(`${indent(output.trim())}\n${problem ? `\n  ${name} ${problem}\n` : ""}`)
  }
}

/** @param {string} text */
function indent(text) {
  return text.replace(/^(?=.)/gm, "  ")
}

/**
 * @param {readonly string[]} args names that files and examples are chosen by; `--slow` and `--runtimes` for those
 *   suites only; `--coverage` to measure what the whole fast suite runs of the sources
 * @returns {Promise<Tally>}
 */
async function test(args) {
  const tally = new Tally()
  const names = args.filter((arg) => !arg.startsWith("--"))
  const suite = args.includes("--slow") ? "slow" : args.includes("--runtimes") ? "runtimes" : "fast"
  const whole = names.length === 0
  const covered = whole && suite === "fast" && args.includes("--coverage")
  const types = await settle()
  if (types || (whole && suite === "fast")) tally.check("types", types)
  if (whole && suite === "slow") await checkExamples(tally)
  // At the same time as the tests, so that no core waits for the end of a check.
  const checked = whole && suite === "fast" ? checkSources() : []

  const v8 = join(root, "coverage", "v8")
  if (covered) rmSync(v8, { recursive: true, force: true })
  if (suite === "runtimes") await installRuntimes()
  const env = environment(covered ? v8 : undefined)
  const chosen = jobsOf(suite, env, whole).filter(
    ({ name }) => whole || names.some((part) => name.includes(part)),
  )
  if (chosen.length === 0 && !whole) {
    tally.check(`tests named ${names.join(", ")}`, "No test file and no example has that in its name.")
  }
  const results = await runJobs(longestFirst(chosen), {
    // One more than can run: tests wait, for a process to end or an answer that is late on purpose.
    atOnce: availableParallelism() + 1,
    seconds: limits[suite],
    onResult: (result) => tally.job(result),
  })
  for (const [what, running] of checked) await report(tally, what, running)
  if (whole) checkSkips(tally, results)
  if (covered) {
    const { summary, problem } = await coverage(v8)
    tally.check(`coverage: ${summary}`, problem)
  }
  return tally
}

/**
 * The environment of the tests.
 *
 * @param {string} [v8] the directory for what runs of the sources, if that is measured
 * @returns {NodeJS.ProcessEnv}
 */
function environment(v8) {
  const temporary = temporaryDirectory()
  const shared = sharedDirectory(temporary.TMPDIR)
  return {
    ...process.env,
    ...temporary,
    ...npmCache(shared),
    FW_TEST_SHARED: shared,
    FW_RUNTIMES: runtimesDirectory(),
    ...(v8 !== undefined && { NODE_V8_COVERAGE: v8 }),
  }
}

/**
 * @param {import("./schedule.mjs").Suite} suite @param {NodeJS.ProcessEnv} env
 * @param {boolean} whole False if files are named: each of them runs on its own, as by `node dist/tests/…`.
 * @returns {import("./runner.mjs").Job[]}
 */
function jobsOf(suite, env, whole) {
  const files = testFiles(suite)
  const groups = whole ? togetherOrAlone(files) : files.map((file) => [file])
  const typed = testFiles().filter((file) => readsTypes(file, suite))
  return [
    ...groups.map((group) =>
      group.length === 1 ? testFile(group[0], root, env) : testFilesTogether(group, root, env),
    ),
    ...typed.map((file) => withNextTypeScript(testFile(file, root, env))),
    ...examples("test")
      .filter(({ name }) => suiteOf(name) === suite)
      .map((example) => ({ ...example, env })),
  ]
}

/**
 * By name, one leaves tests out on purpose; elsewhere a forgotten `only` or `skip` would stay hidden.
 *
 * @param {Tally} tally @param {readonly import("./runner.mjs").Result[]} results
 */
function checkSkips(tally, results) {
  const skips = results.filter(({ skipped }) => skipped > 0)
  if (skips.length === 0) return
  tally.check(
    "no test is skipped",
    skips.map(({ name, skipped }) => `${name}: ${skipped} skipped`).join("\n"),
  )
}

/** Installs and builds. Tests run also where only the types do not fit: what fails first is often the better message. */
async function settle() {
  try {
    await setup()
    return undefined
  } catch (error) {
    if (error instanceof TypesError) return error.message
    throw error
  }
}

/** @typedef {Promise<{ code: number | null, output: string }>} Running */

/**
 * Starts the checks of the sources that are not tests.
 *
 * @returns {[what: string, running: Running][]}
 */
function checkSources() {
  const lint = runTool("@biomejs/biome/bin/biome", ["check", "--colors=off", "."])
  const edge = runTool("typescript/bin/tsc", ["-p", "tsconfig.edge.json", "--pretty", "false"])
  return [
    ["lint and format (biome check)", lint],
    ["core without Node's types (tsc -p tsconfig.edge.json)", edge],
  ]
}

/** Checks the examples. Before the tests of the slow suite, because it generates what they import. @param {Tally} tally */
async function checkExamples(tally) {
  const checks = examples("check").map(({ name, program, args, cwd }) => {
    return [`${name} (npm run check)`, run(program, args, { cwd })]
  })
  for (const [what, running] of checks) await report(tally, what, running)
}

/** @param {Tally} tally @param {string} what @param {Running} running */
async function report(tally, what, running) {
  const { code, output } = await running
  tally.check(what, code === 0 ? undefined : output)
}

/**
 * The same job with the projects of its tests on the next version of TypeScript (tests/support/packages.ts).
 *
 * @param {import("./runner.mjs").Job} job
 * @returns {import("./runner.mjs").Job}
 */
function withNextTypeScript(job) {
  return { ...job, name: `${job.name} (next TypeScript)`, env: { ...job.env, FW_TEST_TYPESCRIPT: "next" } }
}

/** @param {import("./schedule.mjs").Suite} [suite] Default: all of them. */
function testFiles(suite) {
  return filesBelow(join(root, "dist", "tests"))
    .map((file) => `dist/tests/${file}`)
    .filter((file) => file.endsWith(".test.js") && (suite === undefined || suiteOf(file) === suite))
}

/**
 * The examples that have a script of this name, as their users would run it.
 *
 * @param {string} script
 * @returns {import("./runner.mjs").Job[]}
 */
function examples(script) {
  return filesBelow(join(root, "examples"))
    .filter((file) => /^[^/]+\/package\.json$/.test(file))
    .map((file) => ({ name: `examples/${dirname(file)}`, cwd: join(root, "examples", dirname(file)) }))
    .filter(
      ({ cwd }) => script in (JSON.parse(readFileSync(join(cwd, "package.json"), "utf8")).scripts ?? {}),
    )
    .map((example) => ({ ...example, program: "npm", args: ["run", "--silent", script] }))
}

async function main() {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      killAll()
      process.exit(1)
    })
  }
  const tally = await test(process.argv.slice(2)).catch((error) => {
    const broken = new Tally()
    broken.check("set-up", error instanceof ScriptError ? error.message : (error.stack ?? String(error)))
    return broken
  })
  if (tally.failed > 0) process.exitCode = 1
  console.log(`\n${tally.passed} passed, ${tally.failed} failed`)
}

if (isMain(import.meta.url)) await runScript(main)

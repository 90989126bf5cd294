/**
 * `npm test`: runs the test files of one or more suites from their sources. Arguments limit it to files whose names
 * contain them.
 */
import { rmSync } from "node:fs"
import { availableParallelism } from "node:os"
import { basename, dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { build, isBuilt } from "./build.mjs"
import { isMain, listFilesBelow, root, runProgram, runScript, ScriptError } from "./common.mjs"
import { reportCoverage } from "./coverage.mjs"
import { killAll, runJobs, sourceFlags } from "./runner.mjs"
import { getRuntimesDirectory, installRuntimes } from "./runtimes.mjs"
import { checkNode, install, isInstalled } from "./setup.mjs"
import { createNpmCache, createSharedDirectory, createTemporaryDirectory } from "./temporary.mjs"

/**
 * A suite of tests. After `seconds`, a file that still runs is killed; the number is large enough for a busy machine. With
 * `sharesProcesses`, the files of a folder run in one process, except those in folders named `alone`, which change their
 * process for good. All suites but the first start the built command, and run the tests of `examples` as users would do.
 *
 * @typedef {{ folders: RegExp, seconds?: number, sharesProcesses?: true, needsBuild?: true, examples?: readonly string[] }} Suite
 */

/** @type {Record<string, Suite>} */
const suites = {
  library: { folders: /^(?:lib|template|adapters|docs)\//, sharesProcesses: true },
  slow: { folders: /^slow\//, seconds: 1500, needsBuild: true, examples: ["auth"] },
  runtimes: { folders: /^runtimes\//, needsBuild: true },
  command: {
    folders: /^(?!lib\/|template\/|adapters\/|docs\/|slow\/|runtimes\/)/,
    sharesProcesses: true,
    needsBuild: true,
    examples: ["tasks"],
  },
}

/**
 * Test files that together cover every part of reading types. With the slow suite, they run once more with the next version
 * of TypeScript.
 */
const typeTests =
  /^(?:bin\/openapi\/openapi(?:-types|-shapes|-versions)?|bin\/validators\/(?:find|input-types|tags|validators)|bin\/inspect\/validate-checks|slow\/(?:answers|client-types|dev-validators|generate-types))\.test\.ts$/

/**
 * Test files that take a minute or more. They start first, because otherwise the run would wait for them at its end.
 */
const longFiles = /^tests\/slow\/(?:guides.*|generate-auth|new|growth|template-growth|browser-xss|browser-update)\.test/

/** Counts the results of a run. A check that is not a test, such as that of the coverage, counts as one if it fails. */
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
  addJob({ name, passed, failed, skipped, problem, output, seconds }) {
    this.passed += passed
    this.failed += failed + (problem === undefined ? 0 : 1)
    const isGood = failed === 0 && problem === undefined
    const counts = `${passed} passed${failed ? `, ${failed} failed` : ""}${skipped ? `, ${skipped} skipped` : ""}`
    console.log(`${isGood ? "✓" : "✗"} ${name} (${counts}, ${seconds.toFixed(1)} s)`)
    if (!isGood) console.log(`${indent(output.trim())}\n${problem ? `\n  ${name} ${problem}\n` : ""}`)
  }
}

/** @param {string} text */
function indent(text) {
  return text.replace(/^(?=.)/gm, "  ")
}

/**
 * Runs tests, and prints their results.
 *
 * @param {readonly string[]} args parts of the names of files and examples to run; `--command`, `--slow` and `--runtimes` for
 *   other suites than `--library`; `--coverage` to measure the coverage of the sources by a whole run of that suite;
 *   `--after-input` to begin the suites that need a build when standard input has ended
 * @returns {Promise<Tally>}
 */
async function runTests(args) {
  const tally = new Tally()
  const names = args.filter((arg) => !arg.startsWith("--"))
  const isWhole = names.length === 0
  const namedSuites = Object.keys(suites).filter((name) => args.includes(`--${name}`))
  const suiteNames = namedSuites.length > 0 ? namedSuites : ["library"]
  checkNode(process.versions.node)
  if (!isInstalled(root, "all")) await install("all")
  const preparation = Promise.all([
    prepare(suiteNames, isWhole, tally),
    args.includes("--after-input") ? text(process.stdin) : undefined,
  ])
  const v8 = isWhole && args.includes("--coverage") ? join(root, "coverage", "v8") : undefined
  if (v8) rmSync(v8, { recursive: true, force: true })
  const isSelected = (name) => isWhole || names.some((part) => name.includes(part))
  const jobs = createJobs(suiteNames, isSelected, preparation, v8)
  if (jobs.length === 0) tally.check(`tests named ${names.join(", ")}`, explainNoneFound(suiteNames))
  const resultsPromise = runJobs(jobs, {
    // Twice as many as there are cores, because tests often wait for another process or for an answer that is late on purpose.
    maxJobs: 2 * availableParallelism(),
    seconds: Math.max(...suiteNames.map((name) => suites[name].seconds ?? 300)),
    onResult: (result) => tally.addJob(result),
  })
  const [results] = await Promise.all([resultsPromise, preparation])
  if (isWhole) checkSkips(tally, results)
  if (v8) {
    const { summary, problem } = await reportCoverage(v8)
    tally.check(`coverage: ${summary}`, problem)
  }
  return tally
}

/**
 * Builds and installs what suites need besides the sources. Meanwhile the tests of the library run.
 *
 * @param {readonly string[]} suiteNames @param {boolean} isWhole @param {Tally} tally
 */
async function prepare(suiteNames, isWhole, tally) {
  const runtimes = suiteNames.includes("runtimes") ? installRuntimes() : undefined
  if (suiteNames.some((name) => suites[name].needsBuild) && !isBuilt()) await build()
  // Comes before the tests of the slow suite, because they import what it generates.
  if (suiteNames.includes("slow") && isWhole) await checkExamples(tally)
  await runtimes
}

/** Says which other suites there are. @param {readonly string[]} suiteNames */
function explainNoneFound(suiteNames) {
  const otherSuites = Object.keys(suites).filter((name) => !suiteNames.includes(name) && name !== "library")
  return `No test of this suite has that in its name. Others are run by ${otherSuites.map((name) => `npm run test:${name}`).join(", ")}.`
}

/**
 * Returns the jobs of suites. Those that need no build come first. After them come those that take longest: examples, long
 * files, and folders with many files.
 *
 * @param {readonly string[]} suiteNames
 * @param {(name: string) => boolean} isSelected
 * @param {Promise<unknown>} preparation resolves when the jobs that need a build may start
 * @param {string} [v8] the directory for the coverage that V8 records, if it is measured
 * @returns {import("./runner.mjs").Job[]}
 */
function createJobs(suiteNames, isSelected, preparation, v8) {
  const env = createEnvironment()
  const all = listFilesBelow(join(root, "tests")).filter((file) => file.endsWith(".test.ts"))
  const args = [...sourceFlags, join(root, "scripts/test-files.mjs")]
  const job = (files) => ({ files, program: process.execPath, args: [...args, ...files], cwd: root, env })
  const jobs = suiteNames.flatMap((suite) => {
    const { folders, sharesProcesses = false, needsBuild = false } = suites[suite]
    const groups = new Map()
    for (const file of all.filter((file) => folders.test(file)).map((file) => `tests/${file}`)) {
      if (!isSelected(file)) continue
      const group = sharesProcesses && basename(dirname(file)) !== "alone" ? dirname(file) : file
      groups.set(group, [...(groups.get(group) ?? []), file])
    }
    const coverageOptions = suite === "library" && v8 !== undefined ? { env: { ...env, NODE_V8_COVERAGE: v8 } } : {}
    const after = needsBuild ? preparation : undefined
    return [...groups.values()].map((files) => ({ ...job(files), ...coverageOptions, after }))
  })
  const weigh = ({ files }) => (longFiles.test(files[0]) ? 1000 : files.length)
  const next = { note: " (next TypeScript)", env: { ...env, FW_TEST_TYPESCRIPT: "next" } }
  const nextFiles = suiteNames.includes("slow") ? all.filter((file) => typeTests.test(file)) : []
  const examples = suiteNames
    .flatMap((suite) => suites[suite].examples ?? [])
    .map((name) => ({ ...createExampleJob(name, "test"), env, after: preparation }))
    .filter(({ name }) => isSelected(name))
  jobs.sort((a, b) => weigh(b) - weigh(a))
  return [
    ...jobs.filter(({ after }) => after === undefined),
    ...examples,
    ...jobs.filter(({ after }) => after !== undefined),
    // tests/support/packages.ts reads FW_TEST_TYPESCRIPT.
    ...nextFiles
      .map((file) => `tests/${file}`)
      .filter((file) => isSelected(`${file}${next.note}`))
      .map((file) => ({ ...job([file]), ...next, after: preparation })),
  ]
}

/** Returns the job for a script of an example. @param {string} name @param {string} script */
function createExampleJob(name, script) {
  const cwd = join(root, "examples", name)
  return { name: `examples/${name}`, program: "npm", args: ["run", "--silent", script], cwd }
}

/** @returns {NodeJS.ProcessEnv} */
function createEnvironment() {
  const temporary = createTemporaryDirectory()
  const shared = createSharedDirectory(temporary.TMPDIR)
  return {
    ...process.env,
    ...temporary,
    ...createNpmCache(shared),
    FW_TEST_SHARED: shared,
    FW_RUNTIMES: getRuntimesDirectory(),
  }
}

/**
 * Fails if a test was skipped in a whole run, because a forgotten `only` or `skip` would stay hidden. When names are
 * given, tests are left out on purpose.
 *
 * @param {Tally} tally @param {readonly import("./runner.mjs").Result[]} results
 */
function checkSkips(tally, results) {
  const skips = results.filter(({ skipped }) => skipped > 0)
  if (skips.length === 0) return
  tally.check("no test is skipped", skips.map(({ name, skipped }) => `${name}: ${skipped} skipped`).join("\n"))
}

/** @param {Tally} tally */
async function checkExamples(tally) {
  for (const { examples = [] } of Object.values(suites)) {
    for (const { name, program, args, cwd } of examples.map((name) => createExampleJob(name, "check"))) {
      const { code, output } = await runProgram(program, args, { cwd })
      tally.check(`${name} (npm run check)`, code === 0 ? undefined : output)
    }
  }
}

async function main() {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      killAll()
      process.exit(1)
    })
  }
  const tally = await runTests(process.argv.slice(2)).catch((error) => {
    killAll()
    const failedTally = new Tally()
    failedTally.check("set-up", error instanceof ScriptError ? error.message : (error.stack ?? String(error)))
    return failedTally
  })
  if (tally.failed > 0) process.exitCode = 1
  console.log(`\n${tally.passed} passed, ${tally.failed} failed`)
}

if (isMain(import.meta.url)) await runScript(main)

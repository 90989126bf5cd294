/** Assigns each job to a suite, and decides which goes first. */

/** @typedef {"fast" | "slow" | "runtimes"} Suite */

/** Examples whose own tests take too long for the fast suite. That of auth hashes hundreds of passwords at full strength. */
const slowExamples = ["examples/auth"]

/**
 * The slowest jobs, slowest first. If one of them began last, it would run while the other cores wait. The order is by
 * what `npm test` and `npm run test:slow` print; a job that is not here comes after these.
 */
export const longest = [
  "slow/browser-xss",
  "slow/new",
  "slow/generate-auth",
  "slow/killed",
  "slow/build-killed",
  "slow/build-machines",
  "slow/new-seen",
  "slow/mcp",
  "slow/openapi",
  "slow/auth-restart",
  "slow/auth-browser",
  "slow/examples",
  "slow/new-registry",
  "slow/package",
  "slow/build-native",
  "slow/build",
  "slow/auth-executable",
  "slow/css",
  "slow/dev-process",
  "slow/dev-changes",
  "runtimes/bundles",
  "examples/tasks",
  "bin/dev/dev",
  "bin/new/new-asked",
  "bin/mcp/mcp",
  "bin/tools/program",
  "bin/project/codegen-entry",
  "adapters/node/node-shutdown",
  "lib/router",
]

/** Test files that read types. With the slow suite they all run once more, with the next version of TypeScript. */
const typed = /\/(?:openapi|validate)[\w-]*\.test\.js$|\/slow\/generate-types\.test\.js$/
/** Those of them that ask TypeScript most of what it is asked: with the fast suite only they run with the next version. */
const typedFast = /\/(?:openapi-(?:calls|shapes|types)|validate-types)\.test\.js$/

/**
 * Returns true if a test file also runs with the next version of TypeScript when its suite runs.
 *
 * @param {string} name of a job: a compiled test file or an example
 * @param {Suite} suite
 */
export function readsTypes(name, suite) {
  return suite === "fast"
    ? typedFast.test(name) && suiteOf(name) === "fast"
    : suite === "slow" && typed.test(name)
}

/**
 * @param {string} name of a job: a compiled test file or an example
 * @returns {Suite}
 */
export function suiteOf(name) {
  if (slowExamples.includes(name)) return "slow"
  return /** @type {Suite} */ (/^dist\/tests\/(slow|runtimes)\//.exec(name)?.[1] ?? "fast")
}

/**
 * @template {{ name: string }} Job
 * @param {readonly Job[]} jobs
 * @returns {Job[]}
 */
export function longestFirst(jobs) {
  const place = ({ name }) => {
    const found = longest.indexOf(name.replace(/^dist\/tests\/|\.test\.js$/g, ""))
    return found === -1 ? longest.length : found
  }
  return jobs.toSorted((a, b) => place(a) - place(b))
}

/** Which suite a job belongs to, and which goes first. Called by test. */

/** @typedef {"fast" | "slow" | "runtimes"} Suite */

/** Examples whose own tests take too long for the fast suite. That of auth hashes hundreds of passwords at full strength. */
const slowExamples = ["examples/auth"]

/**
 * What takes longest, longest first: begun last, it would run on alone while the other cores wait. The order is by
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

/** Suites that read types, which also run with the next version of TypeScript. Parts of the names of their files. */
const typed = /\/(?:slow\/)?(?:openapi|validate)[\w-]*\.test\.js$|\/slow\/generate-types\.test\.js$/

/** @param {string} name of a job: a compiled test file or an example */
export function readsTypes(name) {
  return typed.test(name)
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

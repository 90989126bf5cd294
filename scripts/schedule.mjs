/** Assigns each job to a suite, and decides which run together and which go first. */

/** @typedef {"fast" | "slow" | "runtimes"} Suite */

/** Examples whose own tests take too long for the fast suite. That of auth hashes hundreds of passwords at full strength. */
const slowExamples = ["examples/auth"]

/**
 * The slowest jobs, slowest first. If one of them began last, it would run while the other cores wait. The order is by
 * what `npm test` and `npm run test:slow` print; a job that is not here comes after these.
 */
export const longest = [
  "slow/guides",
  "slow/growth",
  "slow/new",
  "slow/browser-xss",
  "slow/generate-auth",
  "slow/generate-project-tests",
  "slow/template-growth",
  "slow/browser-update",
  "slow/killed",
  "slow/prism",
  "slow/hosts-next",
  "slow/build-image",
  "slow/browser-htmx",
  "slow/auth-restart",
  "slow/build-machines",
  "slow/package",
  "slow/new-seen",
  "slow/openapi",
  "slow/mcp",
  "slow/generate-form",
  "slow/hosts",
  "slow/browser-mistakes",
  "slow/workers",
  "slow/explorer-browser",
  "slow/older-typescript",
  "slow/bundle-parts",
  "slow/large-uploads",
  "slow/build-flags",
  "slow/hosts-browser",
  "slow/browser-overlay",
  "slow/build-killed",
  "slow/dev-docs",
  "slow/auth-browser",
  "slow/irregular-files",
  "slow/build",
  "slow/new-registry",
  "slow/browser-warnings",
  "slow/template-mutation",
  "slow/template-types",
  "slow/browser-reload",
  "slow/css",
  "slow/examples",
  "slow/dev-process",
  "slow/build-native",
  "slow/runner",
  "slow/new-policy",
  "slow/lsp",
  "slow/client-types",
  "slow/scripts",
  "slow/lsp-edits",
  "slow/store-proxy",
  "slow/store-haproxy",
  "slow/supervisor",
  "slow/validators-ajv",
  "slow/auth-executable",
  "slow/hosts-lambda",
  "slow/browser-live",
  "slow/validators",
  "examples/auth",
  "runtimes/bundles",
  "examples/tasks",
  "bin/dev/dev",
  "bin/project/jsx",
  "bin/cli/command-words",
  "bin/commands/stopping",
  "bin/tools/program",
  "bin/project/codegen-entry",
  "adapters/node/node-shutdown",
]

/**
 * Fast test files that need a process of their own: they listen to its signals, warnings and unhandled errors, load packages
 * that add globals, start development servers, or have V8 count their steps. Any other file that changes its process fails,
 * and then it belongs here.
 */
const alone =
  /^dist\/tests\/(?:adapters\/node\/|adapters\/many-open\.|bin\/dev\/|bin\/lsp\/lsp-listing\.|bin\/testing\/|lib\/mcp\/mcp-client\.|lib\/growth\.|lib\/mount\/health\.|scripts\/bundles\.|docs\/(?:docs|examples|i18n)\.)/
/** The number of files in one process. With more, less is loaded twice, and the last processes to end take longer. */
const atMost = 12

/** Test files that read types. With the slow suite they all run once more, with the next version of TypeScript. */
const typed =
  /\/(?:openapi|validate)[\w-]*\.test\.js$|\/slow\/(?:(?:generate|client)-types|dev-validators|(?:(?:dev|test)-)?answers)\.test\.js$|\/validators\/[\w-]+\.test\.js$/
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
 * Divides files into those that run in one process. The slow suites start programs, so they would gain nothing.
 *
 * @param {readonly string[]} files compiled test files of one suite, sorted
 * @returns {string[][]}
 */
export function togetherOrAlone(files) {
  const canShare = (file) =>
    suiteOf(file) === "fast" && !alone.test(file) && !longest.includes(placeName(file))
  const shared = files.filter(canShare)
  const groups = files.filter((file) => !canShare(file)).map((file) => [file])
  for (let i = 0; i < shared.length; i += atMost) groups.push(shared.slice(i, i + atMost))
  return groups
}

/** The end of a job's name that runs with the next version of TypeScript. */
const isNext = / \(next TypeScript\)$/

/** @param {string} name of a job */
function placeName(name) {
  return name.replace(isNext, "").replace(/^dist\/tests\/|\.test\.js$/g, "")
}

/**
 * @template {{ name: string, together?: unknown }} Job
 * @param {readonly Job[]} jobs
 * @returns {Job[]}
 */
export function longestFirst(jobs) {
  const place = ({ name, together }) => {
    const found = longest.indexOf(placeName(name))
    if (found !== -1) return found
    return together || isNext.test(name) ? longest.length : longest.length + 1
  }
  return jobs.toSorted((a, b) => place(a) - place(b))
}

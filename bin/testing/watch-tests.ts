/** Runs a project's tests after every change that concerns them, until it is stopped. */
import { once } from "node:events"
import { basename, dirname, join, sep } from "node:path"
import { FwError } from "../../lib/errors.ts"
import { formatFailure } from "../cli/failure.ts"
import { createView, type Io } from "../cli/terminal.ts"
import { keepTypeCaches } from "../openapi/type-cache.ts"
import { formatChangedFiles } from "../project/problems.ts"
import { type ChangeFacts, classifyChange, type Project } from "../project/project.ts"
import { readStaticDir } from "../project/static-dir.ts"
import { isTestFile } from "../project/test-file.ts"
import { ProjectWatcher } from "../system/watch.ts"
import { runTests, type TestListener, type TestRun, type TestRunOptions } from "./run-tests.ts"

/** Functions that show the runs. */
export interface TestViewer {
  readonly listener: TestListener
  readonly show: (result: TestRun) => void
}

/**
 * Runs the tests after each change until the signal aborts.
 *
 * @throws errors that the project did not cause.
 */
export async function watchTests(order: TestRunOptions, io: Io, { listener, show }: TestViewer): Promise<void> {
  const { interactive, stdin, stdout, stderr, signal, env } = io
  const { root } = order.project
  const { style } = createView(stdout, env)
  let changeFacts: ChangeFacts = { inputs: new Set(), hasFailed: false, staticDir: join(root, readStaticDir(root)) }
  let run = new AbortController()
  const rerun = (reason: string) => {
    stdout.write(`\n${style.dim(reason)}\n`)
    run.abort()
  }
  const watcher = new ProjectWatcher({
    root,
    onEvent: () => {},
    onBurst: (paths) => {
      const changed = new Set([...paths].filter((path) => mayChangeResult(order.project, path, changeFacts)))
      if (changed.size > 0) rerun(`Running again: ${formatChangedFiles(root, changed)} changed.`)
    },
    onError: (error) => stderr.write(formatFailure(error, io)),
  })
  const onFiles = (inputs: ReadonlySet<string>) => {
    changeFacts = { ...changeFacts, inputs }
    const outside = [...inputs].filter((path) => !path.startsWith(root + sep))
    for (const directory of new Set(outside.map(dirname))) watcher.add(directory)
  }
  const onEnter = () => rerun("Running again.")
  const onStop = () => run.abort()
  const release = keepTypeCaches()
  signal.addEventListener("abort", onStop)
  if (interactive) stdin.on("data", onEnter)
  try {
    watcher.start()
    while (!signal.aborted) {
      run = new AbortController()
      const current = run.signal
      const result = await tryTests(order, { ...io, signal: current }, { ...listener, onFiles })
      if (current.aborted) continue
      changeFacts = { ...changeFacts, hasFailed: result instanceof FwError }
      if (result instanceof FwError) stderr.write(formatFailure(result, io))
      else show(result)
      stdout.write(style.dim(`Waiting for changes.${interactive ? " Enter runs the tests again." : ""}\n`))
      await once(current, "abort")
    }
  } finally {
    watcher.close()
    signal.removeEventListener("abort", onStop)
    if (interactive) stdin.off("data", onEnter).pause()
    await release()
  }
}

/**
 * Runs the tests once. Returns the error if the run was stopped or the project has a problem, which the next change
 * may fix.
 */
async function tryTests(...args: Parameters<typeof runTests>): Promise<TestRun | FwError> {
  try {
    return await runTests(...args)
  } catch (error) {
    if (args[1].signal.aborted || error instanceof FwError) return error as FwError
    throw error
  }
}

/** Returns true if a changed file may change the results of the tests. */
function mayChangeResult(project: Project, path: string, changeFacts: ChangeFacts): boolean {
  if (isTestFile(basename(path))) return true
  // Tests do not get the variables of these files.
  if (/^\.env(?:\.local)?$/.test(basename(path))) return false
  return ["program", "asset"].includes(classifyChange(project, path, changeFacts))
}

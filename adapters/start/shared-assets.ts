/**
 * Shares files between the builds of a program, in the directory `FW_ASSETS_DIR`. Each program writes its files there
 * that have hashes in their names. If two builds run behind one load balancer, each can answer with the files of the
 * other.
 */
import { accessSync, constants, existsSync, rmSync, statSync, utimesSync } from "node:fs"
import { join, resolve } from "node:path"
import { setInterval } from "node:timers"
import { type App, getFiles } from "../../lib/app.ts"
import { writeMessage } from "../../lib/log/process-log.ts"
import { createStaticHandler } from "../../lib/static/serve-static.ts"
import { hashedName, type StaticMounts } from "../../lib/static/static-mounts.ts"
import { env } from "../disk/env.ts"
import { createDeferredFileSource, listFiles } from "../disk/files.ts"
import { saveStream } from "../disk/save-stream.ts"
import { makeDirectory } from "../shared/make-directory.ts"
import { describeFileError, startFault } from "../shared/start-fault.ts"

const dayMs = 86_400_000
/** Milliseconds after which files are removed that no program uses any more. */
const maxAgeMs = 30 * dayMs

/**
 * Writes the files of a program to a directory, and lets the app answer with the files of other builds in it. A program
 * that runs for longer than a day marks its files as used again.
 *
 * @throws FwError `assets_dir` if the directory cannot be written.
 */
export async function shareAssets(app: App, directory: string): Promise<void> {
  const dir = resolve(directory)
  const files = getFiles(app, createStaticHandler(createDeferredFileSource(dir)))
  const fail = (error: unknown) => startFault("assets_dir", [directory, describeFileError(error as { code?: string })])
  await keepFiles(files, dir).catch((error) => {
    throw fail(error)
  })
  setInterval(() => {
    keepFiles(files, dir).catch((error) => writeMessage("warn", fail(error).message, env))
  }, dayMs).unref()
}

/** Writes the files that are missing in the directory, and removes files that no program has used for a long time. */
async function keepFiles(files: StaticMounts, dir: string): Promise<void> {
  makeDirectory(dir)
  accessSync(dir, constants.W_OK)
  const now = Date.now()
  for (const [path, source] of files.listHashed()) {
    const target = join(dir, decodeURIComponent(path))
    if (existsSync(target)) utimesSync(target, now / 1000, now / 1000)
    else {
      const bytes = await files.read(source)
      if (bytes) await saveStream(target, bytes)
    }
  }
  // This also removes incomplete files of programs that were killed. Files with other names do not belong to fw.
  for (const path of listFiles(dir).filter((path) => hashedName.test(path))) {
    const target = join(dir, path)
    // Another program may remove the same file.
    const lastUsedMs = statSync(target, { throwIfNoEntry: false })?.mtimeMs ?? now
    if (lastUsedMs < now - maxAgeMs) rmSync(target, { force: true })
  }
}

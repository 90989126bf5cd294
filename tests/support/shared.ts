/** Folders that several test files need and that take long to create. Each is created once per run. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"

let ownParent: string | undefined

/**
 * Returns the parent of the folders: that of the run (scripts/test.mjs), or that of this process if it runs alone.
 */
function getParent(): string {
  if (process.env.FW_TEST_SHARED) return process.env.FW_TEST_SHARED
  if (ownParent === undefined) {
    const directory = mkdtempSync(join(tmpdir(), "fw-shared-"))
    process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
    ownParent = directory
  }
  return ownParent
}

/**
 * Returns a folder of this name. The first process that asks for it fills it, and others wait meanwhile. Copy the
 * files before you change them, because all processes share them.
 */
export async function sharedFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(getParent(), name)
  const lock = `${folder}.lock`
  while (!existsSync(folder)) {
    if (!takeLock(lock)) {
      await setTimeout(20)
      continue
    }
    const partialFolder = mkdtempSync(`${folder}-`)
    try {
      if (existsSync(folder)) break
      await fill(partialFolder)
      renameSync(partialFolder, folder)
    } finally {
      rmSync(partialFolder, { recursive: true, force: true })
      rmSync(lock, { recursive: true, force: true })
    }
  }
  return folder
}

/** Takes a lock. Returns false if another process has it. */
function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

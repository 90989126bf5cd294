/**
 * Chooses the directories for the files of tests: in memory if possible, because that is faster for thousands of small
 * files.
 */

import { spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"

const memoryDirectory = "/dev/shm"
/** How many bytes must be free: some tests build executables of a hundred megabytes. */
const minFreeBytes = 2 * 1024 ** 3

/**
 * Creates a directory for this run, which is removed when the process ends.
 *
 * @returns {{ TMPDIR?: string }} what to add to the environment of tests. Empty if TMPDIR is set already, if there is no
 *   directory in memory, if it is too small (a container has 64 MB), or if programs in it may not run
 */
export function createTemporaryDirectory() {
  if (process.env.TMPDIR) return {}
  let directory
  try {
    const { bavail, bsize } = statfsSync(memoryDirectory)
    if (bavail * bsize < minFreeBytes) return {}
    directory = mkdtempSync(join(memoryDirectory, "fw-"))
  } catch {
    return {}
  }
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
  const probe = join(directory, "probe")
  writeFileSync(probe, "#!/bin/sh\n")
  chmodSync(probe, 0o755)
  return spawnSync(probe).status === 0 ? { TMPDIR: directory } : {}
}

/**
 * Creates a directory for files that one test file creates and others of this run use too (tests/support/shared.ts). It
 * is removed when the process ends.
 *
 * @param {string} [parent]
 * @returns {string}
 */
export function createSharedDirectory(parent = tmpdir()) {
  // TMPDIR may name a directory that nobody has made yet.
  mkdirSync(parent, { recursive: true })
  const directory = mkdtempSync(join(parent, "fw-shared-"))
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/**
 * Creates a directory for npm to use as its cache. Packages that the user's cache has are taken from there, but
 * temporary files go into the directory of this run, which is in memory: npm unpacks each package in its cache first.
 *
 * @param {string} directory of this run
 * @returns {{ npm_config_cache?: string }} what to add to the environment of tests. Empty if the user's cache has
 * nothing
 */
export function createNpmCache(directory) {
  const npmCacache = join(process.env.npm_config_cache || join(homedir(), ".npm"), "_cacache")
  if (!existsSync(npmCacache)) return {}
  const cache = join(directory, "npm")
  mkdirSync(join(cache, "_cacache"), { recursive: true })
  for (const name of readdirSync(npmCacache).filter((name) => name !== "tmp"))
    symlinkSync(join(npmCacache, name), join(cache, "_cacache", name))
  return { npm_config_cache: cache }
}

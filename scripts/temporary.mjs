/** Chooses the directories for the files of tests: in memory if possible, where thousands of small files cost less. */

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
/** Bytes that must be free: some tests make executables of a hundred megabytes. */
const minFreeBytes = 2 * 1024 ** 3

/**
 * A directory of this run's own, which goes when this process does.
 *
 * @returns {{ TMPDIR?: string }} what to add to the environment of tests: nothing where somebody has chosen already, or
 *   where there is no such memory, too little of it (a container has 64 MB), or programs in it may not be run
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
 * A directory for what several test files of this run need and one of them makes (tests/support/shared.ts). It goes when
 * this process does.
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
 * A directory that npm takes for its cache: what npm keeps is that of this user, and what it writes for a moment is in
 * the directory of this run. npm unpacks the tarball of a package to its cache before it unpacks it where it belongs.
 *
 * @param {string} directory of this run
 * @returns {{ npm_config_cache?: string }} what to add to the environment of tests: nothing where npm has kept nothing
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

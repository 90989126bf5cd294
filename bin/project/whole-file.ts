/** Writes a file whole or not at all, also where the process is killed meanwhile. Used by what writes into a project. */
import { link, rename, rm, writeFile } from "node:fs/promises"
import { partialOf, sweepPartials } from "./partial.ts"

/** Writes a file, or over one. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  await throughPartial(path, content, (partial) => rename(partial, path))
}

/** Writes a file where there is none. @throws the system's EEXIST, with its `path`, where there is one. */
export async function createFile(path: string, content: string | Uint8Array): Promise<void> {
  await throughPartial(path, content, async (partial) => {
    try {
      // A rename would take the place of a file that appeared meanwhile.
      await link(partial, path)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === "EEXIST") throw Object.assign(error as Error, { path })
      // A file system without hard links.
      await writeFile(path, content, { flag: "wx" })
    }
  })
}

async function throughPartial(
  path: string,
  content: string | Uint8Array,
  take: (partial: string) => Promise<void>,
): Promise<void> {
  const partial = partialOf(path)
  await sweepPartials(path)
  try {
    await writeFile(partial, content, { flag: "wx" })
    await take(partial)
  } finally {
    await rm(partial, { force: true })
  }
}

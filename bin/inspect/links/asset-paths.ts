/** Generates the text of `.fw/assets.ts` before a build, when paths have no hashes yet. */
import { renderAssetsModule } from "../../assets/assets-module.ts"
import { type BrowserEntries, findBrowserEntries } from "../../assets/entries.ts"
import { createManifest } from "../../assets/manifest.ts"
import { findMain, type Project } from "../../project/project.ts"
import { tryReadModule } from "../../project/read-module.ts"
import { readRegistered } from "./registered.ts"
import { findStaticDirectories, readStaticFiles, type StaticDirectory } from "./static-files.ts"

/** Returns the text; undefined for a project without browser files. */
export async function readAssetsModule(project: Project, knownEntries?: BrowserEntries): Promise<string | undefined> {
  const entries = knownEntries ?? (await findBrowserEntries(project))
  const { main, registered } = await readRegistrations(project)
  const files = await readStaticFiles(project.root, main, registered.directories)
  const paths = files.flatMap(({ paths }) => paths)
  if (entries.entries.length === 0 && paths.length === 0) return undefined
  return renderAssetsModule(createManifest(entries), paths)
}

/** Returns the static directories whose files do not change while the program runs. */
export async function findFixedDirectories(project: Project): Promise<StaticDirectory[]> {
  const { main, registered } = await readRegistrations(project)
  return findStaticDirectories(project.root, main, registered.directories).filter(({ isEmbedded }) => isEmbedded)
}

async function readRegistrations(project: Project) {
  const file = findMain(project)
  const main = file === null ? null : await tryReadModule(project.root, file)
  return { main, registered: await readRegistered(project.root, main) }
}

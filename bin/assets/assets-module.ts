/**
 * Generates `.fw/assets.ts`: the manifest, and the function `asset()`, whose type lists every file that pages can
 * load.
 */
import type { AssetManifest } from "../../lib/assets.ts"
import { compareByCodeUnit } from "../../lib/order.ts"
import { generatedHeader, quote } from "../project/generated-text.ts"

/**
 * Returns the text of the module.
 *
 * @param staticPaths the paths of the static files.
 */
export function renderAssetsModule(manifest: AssetManifest, staticPaths: readonly string[]): string {
  const paths = [...new Set([...Object.keys(manifest.files), ...staticPaths])].sort(compareByCodeUnit)
  const type = paths.length === 0 ? " never" : paths.map((path) => `\n  | ${quote(path)}`).join("")
  return `${generatedHeader}import { type AssetManifest, createAssetFinder } from "fw/links"

/** A file that pages can load. */
export type AssetPath =${type}

const manifest: AssetManifest = ${JSON.stringify(manifest, null, 2)}

/** Returns the URL of a file: in a build, it contains the hash of the content. */
export const asset: (path: AssetPath) => string = createAssetFinder(manifest)

export default manifest
`
}

/** The version of fw that the site describes, and the versions that have a site. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"

/** The version of fw that these pages describe. */
export const version: string = JSON.parse(readFileSync(resolve("../package.json"), "utf8")).version

/**
 * Every version that has pages, from the newest to the oldest. `README.md` says where the pages of older versions are.
 */
export const versions: readonly { name: string; href: string }[] = [{ name: version, href: "/" }]

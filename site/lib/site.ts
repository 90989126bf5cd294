/** What the site says about itself. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"

/** The version of fw that these pages describe. */
export const version: string = JSON.parse(readFileSync(resolve("../package.json"), "utf8")).version

/** Every version that has pages, the newest first. `README.md` says where those of older ones are. */
export const versions: readonly { name: string; href: string }[] = [{ name: version, href: "/" }]

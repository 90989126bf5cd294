/** What the site says about itself. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"

/** The version of fw that these pages describe. */
export const version: string = JSON.parse(readFileSync(resolve("../package.json"), "utf8")).version

/** Every version that has pages, the newest first. `README.md` says where those of older ones are. */
export const versions: readonly { name: string; href: string }[] = [{ name: version, href: "/" }]

/** The address of the site, for the sitemap and `llms.txt`, which need whole addresses. Without a slash at the end. */
export const origin = (process.env.SITE_ORIGIN ?? "http://localhost:3000").replace(/\/$/, "")

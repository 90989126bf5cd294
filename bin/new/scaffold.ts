/** The files of a new project: those of `scaffold/`, with its name in them, and a package.json. */

import { randomBytes } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { compareByCodeUnit } from "../../lib/order.ts"
import { packageDirectory } from "../system/package.ts"
import { toTitle } from "./project-name.ts"

/** The kind of a project: with pages, styles and htmx, or without. */
export type ProjectTemplate = "full-stack" | "api"

/** A file of a project. */
export interface ScaffoldFile {
  /** Relative to the project, with forward slashes. */
  readonly file: string
  readonly content: string | Uint8Array
}

/** Options of a project. */
export interface ScaffoldOptions {
  readonly name: string
  readonly template: ProjectTemplate
  /** Versions of the packages for development, by name. */
  readonly versions: Readonly<Record<string, string>>
}

const scaffoldDirectory = join(packageDirectory, "scaffold")
const templateFolders: Readonly<Record<ProjectTemplate, readonly string[]>> = {
  "full-stack": ["shared", "full-stack"],
  api: ["shared"],
}

/** The name and the title in the scaffold's files. */
const placeholder = { name: "my-app", title: "My app" }

/**
 * Returns everything but package.json, which contains the source of fw. A file of a template replaces the
 * shared one of its name.
 */
export async function readScaffoldFiles({ name, template }: ScaffoldOptions): Promise<ScaffoldFile[]> {
  const files = new Map<string, ScaffoldFile>([[".env", { file: ".env", content: createLocalSettings() }]])
  for (const folder of templateFolders[template]) {
    for (const path of await listFilesBelow(join(scaffoldDirectory, folder), "")) {
      const bytes = await readFile(join(scaffoldDirectory, folder, path))
      // npm does not pack a file with that name, and applies it instead.
      const file = path === "gitignore" ? ".gitignore" : path
      const content = path.startsWith("static/vendor/") ? bytes : insertName(bytes, name, template, path)
      files.set(file, { file, content })
    }
  }
  return [...files.values()].sort((a, b) => compareByCodeUnit(a.file, b.file))
}

/** Returns the text of `.env`, which git ignores: secrets that only this machine has. */
function createLocalSettings(): string {
  const secret = randomBytes(48).toString("base64")
  return `# Settings and secrets of this machine. Git ignores this file. .env.example has all settings.

# Signs cookies, c.setCookie({ signed: true }). Production needs a secret of its own.
FW_SECRETS="${secret}"
`
}

function insertName(bytes: Buffer, name: string, template: ProjectTemplate, path: string): string {
  const text = bytes.toString("utf8").replaceAll(placeholder.name, name).replaceAll(placeholder.title, toTitle(name))
  return path.endsWith(".md") ? keepPartsFor(text, template) : text
}

/** Removes the text between `<!-- full-stack -->` and `<!-- end -->` for other projects. */
function keepPartsFor(text: string, template: ProjectTemplate): string {
  return text.replace(/^<!-- (full-stack|api) -->\n([\s\S]*?)^<!-- end -->\n/gm, (_, only: string, part: string) =>
    only === template ? part : "",
  )
}

async function listFilesBelow(directory: string, path: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(join(directory, path), { withFileTypes: true })) {
    const inner = path === "" ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) found.push(...(await listFilesBelow(directory, inner)))
    else found.push(inner)
  }
  return found
}

/**
 * Returns the flag with which `tsc` reads templates by the content mapper in `tsconfig.json`. Versions before 7.1 ignore that
 * entry and do not know the flag; later ones report an error without it.
 */
function chooseMapperFlag(version = ""): string {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  const isKnown = Number(major) > 7 || (Number(major) === 7 && Number(minor) >= 1)
  return isKnown ? " --runExternalCode" : ""
}

/** Returns the text of package.json. `fw` is a version, or the `file:` of a tarball in the project. */
export function renderPackageJSON({ name, template, versions }: ScaffoldOptions, fw: string): string {
  const flag = chooseMapperFlag(versions.typescript)
  const browserCheck = template === "api" ? "" : ` && tsc --noEmit${flag} -p assets`
  const manifest = {
    name,
    version: "0.0.0",
    private: true,
    type: "module",
    engines: { node: ">=20.19" },
    imports: {
      "#lib/*": "./lib/*",
      "#links": "./.fw/links.ts",
      "#jobs": "./.fw/jobs.ts",
      "#assets": "./.fw/assets.ts",
    },
    scripts: {
      dev: "fw dev",
      build: "fw build",
      start: "fw build --target node && node dist/node/server.mjs",
      check: `fw generate templates && tsc --noEmit${flag}${browserCheck}`,
      test: "fw test",
      "test:watch": "fw test --watch",
      prepare: "fw generate templates",
    },
    dependencies: { fw },
    devDependencies: Object.fromEntries(["@types/node", "esbuild", "typescript"].map((name) => [name, versions[name]])),
    // For Yarn: esbuild works without its install script, which Yarn does not run and would warn about.
    dependenciesMeta: { esbuild: { built: false } },
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

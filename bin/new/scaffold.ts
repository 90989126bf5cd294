/** Reads the files of a new project from `scaffold/`, inserts its name, and creates its package.json. */

import { randomBytes } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { compareByCodeUnit } from "../../lib/order.ts"
import { packageDirectory } from "../system/package.ts"
import { toTitle } from "./project-name.ts"

/** The type of a project: with pages, styles and htmx, or only an API. */
export type ProjectTemplate = "full-stack" | "api"

/** A file of a new project. */
export interface ScaffoldFile {
  /** Path relative to the project, with forward slashes. */
  readonly file: string
  readonly content: string | Uint8Array
}

/** Options of a project. */
export interface ScaffoldOptions {
  readonly name: string
  readonly template: ProjectTemplate
  /** Versions of the development packages, by name. */
  readonly versions: Readonly<Record<string, string>>
}

const scaffoldDirectory = join(packageDirectory, "scaffold")
const templateFolders: Readonly<Record<ProjectTemplate, readonly string[]>> = {
  "full-stack": ["shared", "full-stack"],
  api: ["shared"],
}

/** The name and title that the files of the scaffold contain. */
const placeholder = { name: "my-app", title: "My app" }

/**
 * Returns all files except package.json, which depends on the copy of fw. A file of the template replaces the
 * shared file of the same name.
 */
export async function readScaffoldFiles({ name, template }: ScaffoldOptions): Promise<ScaffoldFile[]> {
  const files = new Map<string, ScaffoldFile>([[".env", { file: ".env", content: createLocalSettings() }]])
  for (const folder of templateFolders[template]) {
    for (const path of await listFilesBelow(join(scaffoldDirectory, folder), "")) {
      const bytes = await readFile(join(scaffoldDirectory, folder, path))
      // npm would not pack a file named .gitignore, but apply it.
      const file = path === "gitignore" ? ".gitignore" : path
      const content = path.startsWith("static/vendor/") ? bytes : insertName(bytes, name, template, path)
      files.set(file, { file, content })
    }
  }
  return [...files.values()].sort((a, b) => compareByCodeUnit(a.file, b.file))
}

/** Returns the text of `.env`: secrets for this machine. git ignores the file. */
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

/**
 * Removes the parts between `<!-- full-stack -->` or `<!-- api -->` and `<!-- end -->` that are for the other type
 * of project.
 */
function keepPartsFor(text: string, template: ProjectTemplate): string {
  return text.replace(/^<!-- (full-stack|api) -->\n([\s\S]*?)^<!-- end -->\n/gm, (_, only: string, part: string) =>
    only === template ? part : "",
  )
}

async function listFilesBelow(directory: string, path: string): Promise<string[]> {
  const files: string[] = []
  for (const entry of await readdir(join(directory, path), { withFileTypes: true })) {
    const inner = path === "" ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) files.push(...(await listFilesBelow(directory, inner)))
    else files.push(inner)
  }
  return files
}

/**
 * Returns the flag that lets `tsc` use the content mapper in `tsconfig.json`. Versions before 7.1 do not know the
 * flag and ignore the entry; later ones report an error without the flag.
 */
function chooseMapperFlag(version = ""): string {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  const isKnown = Number(major) > 7 || (Number(major) === 7 && Number(minor) >= 1)
  return isKnown ? " --runExternalCode" : ""
}

/**
 * Returns the text of package.json.
 *
 * @param fw a version, or the `file:` of a tarball in the project.
 */
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
    // For Yarn, which does not run install scripts and would warn about that of esbuild. esbuild works without it.
    dependenciesMeta: { esbuild: { built: false } },
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** `fw generate form`: writes the page, route, schema and test of a form. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { TreePage } from "../../lib/tree.ts"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io, View } from "../cli/terminal.ts"
import { cssDefaults } from "../css/compile.ts"
import { type NewFile, type NewFilesResult, writeNewFiles } from "../generate/files.ts"
import { parseFields } from "../generate/form-fields.ts"
import { renderFormPage } from "../generate/form-page.ts"
import { renderFormRoute } from "../generate/form-route.ts"
import { findSchemaLibrary, renderSchema } from "../generate/form-schema.ts"
import { createTestSupport, renderFormTest } from "../generate/form-test.ts"
import { findGuards } from "../generate/guards.ts"
import { createLayoutFile, hasLayout } from "../generate/layout-file.ts"
import { formatFiles } from "../generate/result-text.ts"
import { checkNoConflicts, findAppDir, readRoutePath, scanNewFiles } from "../generate/route-paths.ts"
import { findMain } from "../project/project.ts"
import type * as specs from "../specs/generate.ts"

/** The files that were written, and facts about the form. */
export interface GenerateFormData extends NewFilesResult {
  /** The URL patterns of the page. An optional catch-all has two: without its last segment and with it. */
  readonly patterns: readonly string[]
  /** The library that defines the schema: `zod`, `valibot` or `arktype`; null if the schema is written by hand. */
  readonly library: string | null
  /** True if the main file or a guard uses `csrf()`, so that other sites cannot submit the form. */
  readonly csrf: boolean
  /**
   * Files with guards that may refuse the request of the generated test until the test signs in. Empty if the test
   * passes as it is.
   */
  readonly guards: readonly string[]
}

/**
 * Writes the files.
 *
 * @throws FwError for an invalid path or field, for a conflict, and if the files exist.
 */
export async function run(
  { path, fields: fieldTexts, appDir, force }: OptionsOf<typeof specs.form>,
  { cwd, signal }: Pick<Io, "cwd" | "signal">,
): Promise<GenerateFormData> {
  const routeDirectory = await findAppDir({ cwd, appDir })
  const fields = parseFields(fieldTexts)
  const names = readRoutePath(path)
  const directory = [...(routeDirectory === "." ? [] : [routeDirectory]), ...names].join("/")
  const toFile = (name: string) => (directory === "" ? name : `${directory}/${name}`)
  const { pages } = await scanNewFiles(routeDirectory, [{ file: toFile("page.tpl"), text: "template Page() {}" }])
  const { title, pattern } = pages.at(0) as TreePage
  const library = findSchemaLibrary(cwd)
  const main = findMain({ root: cwd, appDir: routeDirectory })
  const hasStyles = /\.input\b/.test((await readProjectFile(cwd, cssDefaults.input)) ?? "")
  const url = pattern.replace(/\{[^}]+\}|\*$/g, "1")
  const page: NewFile = {
    file: toFile("page.tpl"),
    within: routeDirectory,
    text: renderFormPage({ title, fields, hasStyles }),
  }
  const guards = await findGuards({ cwd, appDir: routeDirectory, main }, [page], { page: page.file, url })
  const hasNoGuard = guards.sessions.length + guards.others.length === 0
  const files: NewFile[] = [
    page,
    { file: toFile("route.ts"), within: routeDirectory, text: renderFormRoute(fields, hasNoGuard) },
    { file: toFile("schema.ts"), within: routeDirectory, text: renderSchema(library, names, fields) },
    ...(await createMissingLayout(cwd, routeDirectory, names)),
    { file: toTestPath(names), text: renderFormTest({ url, fields, guards }) },
    ...(await createTestSupport(cwd, main !== null)),
  ]
  await checkNoConflicts({ cwd, appDir: routeDirectory }, files)
  const result = await writeNewFiles(files, { root: cwd, within: ".", force, signal })
  return {
    ...result,
    patterns: pages.map((page) => page.pattern),
    library: library?.name ?? null,
    csrf: guards.csrf,
    guards: guards.others,
  }
}

/** Returns a layout for the whole route directory, unless the page is in one already. */
async function createMissingLayout(cwd: string, routeDirectory: string, names: readonly string[]): Promise<NewFile[]> {
  for (let depth = names.length; depth >= 0; depth--)
    if (await hasLayout(join(cwd, routeDirectory, ...names.slice(0, depth)))) return []
  return [{ ...(await createLayoutFile(cwd, routeDirectory)), within: routeDirectory }]
}

/** Returns the text of a file of the project; null if the file does not exist. */
async function readProjectFile(root: string, file: string | null): Promise<string | null> {
  return file === null ? null : readFile(join(root, file), "utf8").catch(() => null)
}

/** Returns the path of the test in `tests/`: `users-id-edit-form.test.ts` for the form at `users/[id]/edit`. */
function toTestPath(names: readonly string[]): string {
  const words = names.join("-").match(/[\p{L}\p{N}]+/gu) ?? []
  return `tests/${[...words, "form"].join("-").toLowerCase()}.test.ts`
}

/** Returns a line for each file, the URL of the form, its schema library, and what the project still needs. */
export function print(data: GenerateFormData, view: View): string {
  const { patterns, library, csrf, guards, ...result } = data
  const schema = library
    ? `The schema uses ${library}.`
    : "The schema is plain TypeScript, because package.json has no zod, valibot or arktype."
  const warning = csrf
    ? ""
    : "  The main file does not use csrf(), so pages of other sites can send this form. Add app.use(csrf()).\n"
  const loginNote =
    guards.length > 0
      ? `  ${guards.join(" and ")} may refuse a visitor who is not signed in. If so, the test fails until you sign in there, in a before().\n`
      : ""
  return `${formatFiles(result, view)}  The form is at ${patterns.join(" and ")}. ${schema}\n${warning}${loginNote}`
}

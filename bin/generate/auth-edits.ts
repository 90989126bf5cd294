/**
 * The lines that `fw generate auth` adds to existing files of a project. A file that no longer looks as `fw new`
 * wrote it is not changed.
 */
import { join } from "node:path"
import { findMain } from "../project/project.ts"
import { readRegularFile } from "../system/whole-file.ts"
import type { PatternName } from "./auth-patterns.ts"
import type { NewFile } from "./files.ts"
import { readSourceTemplate, type Variable } from "./write-source.ts"

/** The facts on which the edits depend. */
export interface EditOptions {
  readonly cwd: string
  readonly appDir: string
  readonly names: readonly PatternName[]
  readonly variables: readonly Variable[]
  /** The files that will be written. */
  readonly files: readonly NewFile[]
  readonly hasDatabase: boolean
  /** The module of a database in which jobs can wait. */
  readonly jobsIndex: string | undefined
}

type Edit = (text: string) => string

const lastImport = /^import (?![\s\S]*^import )[^\n]*\n/m

async function createSectionEdit(): Promise<Edit> {
  const section = await readSourceTemplate("auth/AGENTS.md")
  return (text) => (text.includes("## Accounts") ? text : `${text.trimEnd()}\n\n${section}`)
}

function addVariables(variables: readonly Variable[]): Edit {
  return (text) => {
    const missing = variables.filter(({ name }) => !new RegExp(`^#? ?${name}=`, "m").test(text))
    return (
      text + missing.map(({ name, about }) => `\n# ${about[0]?.toUpperCase()}${about.slice(1)}\n#${name}=\n`).join("")
    )
  }
}

/** Adds the link at the end of the page header, with the indentation of the line before it. */
const addLink: Edit = (text) =>
  text.includes('"/dashboard"')
    ? text
    : text.replace(/^([ \t]*)(\S.*\n)([ \t]*<\/header>)/m, '$1$2$1<a href="/dashboard" class="link">Account</a>\n$3')

/** Makes the tests import their own database first, before another module opens a database. */
const addTestDatabase: Edit = (text) =>
  text.includes('"./database.ts"') ? text : text.replace(/^import /m, 'import "./database.ts"\n$&')

/** Lets jobs, which send the mails, wait in the database: Node has SQLite of its own only from 22.13 on. */
const addJobEngine =
  (index: string): Edit =>
  (text) => {
    if (/\bsetJobEngine\b|\bdb\b/.test(text) || !/^export default app$/m.test(text)) return text
    const imports = `import { setJobEngine, sqliteJobs } from "fw/jobs"\nimport { db } from "./${index}"\n`
    const statement =
      "// Jobs, such as those that send mails, wait in the database.\nsetJobEngine(sqliteJobs({ database: db }))"
    return text
      .replace(lastImport, (line) => line + imports)
      .replace(/^export default app$/m, `${statement}\n\nexport default app`)
  }

/** Adds sessions to the main file, because the proxy needs them and runs before the middleware of directories. */
const addSessions: Edit = (text) => {
  if (/\bsessions\b/.test(text)) return text
  const textWithImport = text.replace(lastImport, '$&import { sessions } from "./lib/auth/sessions.ts"\n')
  return textWithImport.replace(/^export default app$/m, "app.use(sessions)\n\n$&")
}

/** Returns the changed files. */
export async function readEdits({
  cwd,
  appDir,
  names,
  variables,
  files,
  hasDatabase,
  jobsIndex,
}: EditOptions): Promise<NewFile[]> {
  const main = findMain({ root: cwd, appDir })
  const editMain: Edit = (text) => {
    const textWithJobs = jobsIndex === undefined ? text : addJobEngine(jobsIndex)(text)
    return names.includes("proxy") ? addSessions(textWithJobs) : textWithJobs
  }
  const plannedEdits: ReadonlyArray<readonly [file: string | null, edit: Edit, isWanted: boolean]> = [
    [`${appDir}/layout.tpl`, addLink, names.includes("session")],
    [".env.example", addVariables(variables), true],
    ["AGENTS.md", await createSectionEdit(), names.includes("session")],
    ["tests/support/app.ts", addTestDatabase, hasDatabase],
    [main, editMain, names.includes("session")],
  ]
  const edits: NewFile[] = []
  for (const [file, edit, isWanted] of plannedEdits) {
    if (file === null || !isWanted) continue
    const newFile = files.find((one) => one.file === file)
    const text = newFile?.text ?? (await readRegularFile(join(cwd, file)))
    if (text === null || edit(text) === text) continue
    edits.push({ file, text: edit(text), isEdit: newFile === undefined })
  }
  return edits
}

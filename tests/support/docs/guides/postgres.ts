/**
 * Starts a PostgreSQL server for guides: PGlite is PostgreSQL compiled for Node, so nothing else must be installed.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { RunningProgram } from "../../../../bin/tools/program.ts"
import { listening, type NewUser } from "../../bin/new/packed.ts"

const packages = ["@electric-sql/pglite@0.5.14", "@electric-sql/pglite-socket@0.2.17"]

/** Starts a server with an empty database, for the user `postgres`. */
export async function startPostgres(
  user: NewUser,
): Promise<{ readonly port: number; readonly program: RunningProgram }> {
  const cwd = join(user.folder, "postgres")
  // All guides of a test file share the installation.
  if (!existsSync(cwd)) {
    mkdirSync(cwd)
    writeFileSync(join(cwd, "package.json"), '{"private":true,"type":"module"}\n')
    await user.run(["npm", "install", "--no-audit", "--no-fund", ...packages], { cwd })
  }
  const flags = ["--db=memory://", "--port=0", "--max-connections=20"]
  return listening(
    (onLine) => user.start(["node", "node_modules/.bin/pglite-server", ...flags], { cwd, onLine }),
    /listening on \{"port":(\d+)/,
  )
}

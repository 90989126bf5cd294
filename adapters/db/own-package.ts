/** Loads a client's package from the project: for databases that only development needs. */
import { loadPackage } from "../store/database.ts"
import { databaseFault } from "./fault.ts"

/** Returns what a package of the project exports; undefined if it has none. */
export const findOwnPackage = (name: string): unknown => loadPackage([`${process.cwd()}/package.json`], name)

/** Returns what a package of the project exports. @throws FwError `database` if the project is not there. */
export function loadOwnPackage(name: string): unknown {
  const found = findOwnPackage(name)
  if (found === undefined) throw databaseFault("database.package", [name])
  return found
}

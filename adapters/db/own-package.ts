/** Loads a package from the project, to open the databases that fw itself creates for tests and for checks. */
import { loadPackage } from "../store/database.ts"
import { databaseFault } from "./fault.ts"

/** Returns the exports of a package of the project; undefined if it is not installed. */
export const findOwnPackage = (name: string): unknown => loadPackage([`${process.cwd()}/package.json`], name)

/** Returns the exports of a package of the project. @throws FwError `database` if it is not installed. */
export function loadOwnPackage(name: string): unknown {
  const packageExports = findOwnPackage(name)
  if (packageExports === undefined) throw databaseFault("database.package", [name])
  return packageExports
}

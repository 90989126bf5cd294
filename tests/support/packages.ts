/** Finds the packages for a test's project. */
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const checkout = fileURLToPath(new URL("../../", import.meta.url))

/**
 * Returns the directory of a package of this checkout; `fw` is the checkout itself. With `FW_TEST_TYPESCRIPT=next`,
 * TypeScript is the next version (`tests/typescript-next`): `npm run test:slow` runs some files that read types
 * with both.
 */
export function packageDirectory(name: string): string {
  if (name === "fw") return checkout
  const isNext = process.env.FW_TEST_TYPESCRIPT === "next" && /^@?typescript$/.test(name)
  return join(checkout, isNext ? "tests/typescript-next/node_modules" : "node_modules", name)
}

/**
 * Imports a module as a project's own code does. The project uses the classes in the package's bundles, which
 * differ from those of the modules that tests import.
 */
export function importAs<Module>(cwd: string, specifier: string): Promise<Module> {
  return import(pathToFileURL(createRequire(join(cwd, "main.ts")).resolve(specifier)).href)
}

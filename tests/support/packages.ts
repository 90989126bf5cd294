/** The location of the packages for a test's project. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const checkout = fileURLToPath(new URL("../../../", import.meta.url))

/**
 * The directory of a package of this checkout; `fw` is the checkout itself. With `FW_TEST_TYPESCRIPT=next` TypeScript
 * is the next version (`tests/typescript-next`): `npm test` runs the suites that read types with both.
 */
export function packageDirectory(name: string): string {
  if (name === "fw") return checkout
  const isNext = process.env.FW_TEST_TYPESCRIPT === "next" && /^@?typescript$/.test(name)
  return join(checkout, isNext ? "tests/typescript-next/node_modules" : "node_modules", name)
}

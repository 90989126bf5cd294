/** Names of test files. */

/** Returns true for the name or the path of a test file: `users.test.ts`. */
export function isTestFile(name: string): boolean {
  return /\.test\.[cm]?[jt]sx?$/.test(name)
}

/** Recognizes test files. */

/** Returns true for the name or path of a test file, such as `users.test.ts`. */
export function isTestFile(name: string): boolean {
  return /\.test\.[cm]?[jt]sx?$/.test(name)
}

/** `#bundle` in a bundle that `fw build` made: this module is in it. */
import type * as other from "./bundle-directory.ts"

export const bundleDirectory: typeof other.bundleDirectory = import.meta.dirname

/** `#bundle` in a bundle that `fw build` made: this module is in it. */
import type * as other from "./bundle-directory.ts"

// Another bundler, such as that of Next.js, may leave the directory of the module undefined.
export const bundleDirectory: typeof other.bundleDirectory = import.meta.dirname ?? null

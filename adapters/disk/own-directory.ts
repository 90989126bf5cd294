/** `#bundle` in a bundle that `fw build` has made. This module is part of the bundle, so the directory is its own. */
import type * as other from "./bundle-directory.ts"

// Another bundler, such as that of Next.js, may not set `import.meta.dirname`.
export const bundleDirectory: typeof other.bundleDirectory = import.meta.dirname ?? null

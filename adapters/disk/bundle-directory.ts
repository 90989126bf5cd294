/** `#bundle`: the directory of a bundle that `fw build` has made. A program that is not such a bundle has none. */
export const bundleDirectory: string | null = null

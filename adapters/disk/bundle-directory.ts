/** `#bundle`: the directory of the bundle that `fw build` made. A program that is not bundled by it has none. */
export const bundleDirectory: string | null = null

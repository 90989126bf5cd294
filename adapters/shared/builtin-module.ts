/** Finds modules of the runtime when they are needed. Bundlers do not see the names of these modules. */

/** Returns a module such as `node:fs`; undefined if it does not exist, or if the runtime has no modules. */
export function findBuiltinModule<Module>(name: string): Module | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } }
  try {
    return process?.getBuiltinModule?.(name) as Module | undefined
  } catch {
    return undefined
  }
}

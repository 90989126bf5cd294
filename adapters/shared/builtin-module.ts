/** Modules of the runtime that are found when they are needed. Bundlers do not see their names. */

/** Returns a module such as `node:fs`; undefined for an unknown one, and on a runtime without modules. */
export function findBuiltinModule<Module>(name: string): Module | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } }
  try {
    return process?.getBuiltinModule?.(name) as Module | undefined
  } catch {
    return undefined
  }
}

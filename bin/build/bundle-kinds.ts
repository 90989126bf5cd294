/** The targets of a build, and the differences between their bundles. */

import { platformFiles } from "../system/framework-files.ts"
import type { BundleKind } from "./bundle.ts"

/** Values of `--target`: a runtime, or another program that imports the app. */
export const buildTargets = ["node", "bun", "deno", "workers", "app"] as const

/** One of {@link buildTargets}. */
export type BuildTarget = (typeof buildTargets)[number]

/** The export condition by which a bundle gets those modules of fw that look for their files next to the bundle. */
const bundleCondition = "fw-bundle"

const serverKind = { platform: "node", outside: "beside", map: true } as const

const nodeKind: BundleKind = {
  ...serverKind,
  conditions: [bundleCondition, "node"],
  syntax: "node20.19",
  requiredModule: platformFiles.node,
}

/** The bundle that prerenders pages during the build. It reads files from the project. */
export const pagesKind: BundleKind = { ...nodeKind, conditions: ["node"] }

/** The bundle inside an executable. */
export const executableKind: BundleKind = {
  conditions: [bundleCondition, "fw-executable", "node", "module-sync"],
  platform: "node",
  syntax: "node24",
  outside: "embedded",
  map: false,
  requiredModule: platformFiles.executable,
}

/** The bundles that are written to `dist/`. */
export const bundleKinds: Readonly<Record<BuildTarget, BundleKind>> = {
  node: nodeKind,
  app: nodeKind,
  bun: {
    ...serverKind,
    conditions: [bundleCondition, "bun", "node"],
    syntax: "es2022",
    requiredModule: platformFiles.bun,
    runtime: "bun",
  },
  deno: {
    ...serverKind,
    conditions: [bundleCondition, "deno", "node"],
    syntax: "es2022",
    requiredModule: platformFiles.deno,
    runtime: "deno",
  },
  workers: {
    conditions: ["workerd", "worker", "browser"],
    platform: "neutral",
    syntax: "es2022",
    outside: "none",
    map: true,
    requiredModule: platformFiles.workerd,
  },
}

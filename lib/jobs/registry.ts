/** The job files of the program that runs. The core has only this of jobs, and `fw/jobs` the rest. */
import type { Routes } from "../tree.ts"

/** The routes with job files that were mounted last. A program has one set of job files, however many apps it has. */
export const mountedJobs: { routes: Routes | undefined } = { routes: undefined }

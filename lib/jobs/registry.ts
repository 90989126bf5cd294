/**
 * Remembers the job files of the program. It is all that the core knows about jobs, so that only programs with jobs
 * load `fw/jobs`.
 */
import type { Routes } from "../tree.ts"

/**
 * The routes that were mounted last and have job files. A program has one set of job files, even if it has several
 * apps.
 */
export const mountedJobs: { routes: Routes | undefined } = { routes: undefined }

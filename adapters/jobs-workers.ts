/** `fw/jobs` on workers, where Cloudflare Queues keep the jobs. */
export { createJobs } from "../lib/jobs/jobs.ts"
export { serveJobs } from "./jobs/queues.ts"

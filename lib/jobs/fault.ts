/** Errors of jobs. */
import { createFaults } from "../errors/catalogue.ts"
import { jobMessages } from "../messages/jobs.ts"

/** Makes an error from the catalogue, by the name of its message. */
export const jobFault = /* @__PURE__ */ createFaults(jobMessages)

/** Cron expressions with time zones. Bundled into dist/vendor/; imported by schedules of jobs. */
export { Cron } from "croner"

/** Reads cron expressions with time zones. Bundled into dist/vendor/; schedules of jobs import it. */
export { Cron } from "croner"

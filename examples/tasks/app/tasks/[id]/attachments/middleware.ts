/** The upload limit is that of the API. */
export { Middleware } from "../../../api/tasks/[id]/attachments/middleware.ts"

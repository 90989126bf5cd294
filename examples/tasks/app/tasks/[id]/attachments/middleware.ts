/** The limit of uploads is the API's. */
export { Middleware } from "../../../api/tasks/[id]/attachments/middleware.ts"

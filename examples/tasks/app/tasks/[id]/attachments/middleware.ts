/** Applies the upload limit of the API. */
export { Middleware } from "../../../api/tasks/[id]/attachments/middleware.ts"

/** The part `forms`: forms, urlencoded and multipart, and queries that are read by a schema. */
export { parseForm } from "../request/form.ts"
export { formMethods } from "../request/forms.ts"

/** The part `forms`: forms, urlencoded and multipart, and queries that are read by a schema. */
export { parseForm } from "../request/form.ts"
export { readFormParts } from "../request/form-parts.ts"
export { bindForm, bindQuery, readForm } from "../request/forms.ts"

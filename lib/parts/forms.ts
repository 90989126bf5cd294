/** The part `forms`: urlencoded and multipart forms, and queries that are read with a schema. */
export { parseForm } from "../request/form.ts"
export { readFormParts } from "../request/form-parts.ts"
export { bindForm, bindQuery, readForm } from "../request/forms.ts"

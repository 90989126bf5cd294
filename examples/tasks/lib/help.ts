/** The help pages, by path. They are code, not files, so every build contains them. */
export const helpPages: ReadonlyMap<string, string> = new Map([
  [
    "tasks",
    `Tasks

GET    /api/tasks                list; ?state=open or done, ?q=text
POST   /api/tasks                add: title, note, due
GET    /api/tasks/{id}           one task
PATCH  /api/tasks/{id}           change some fields
DELETE /api/tasks/{id}           delete
POST   /api/tasks/{id}/done      finish
POST   /api/tasks/{id}/reopen    open again
GET    /api/tasks/export         all of them as todo.txt
`,
  ],
  [
    "tasks/attachments",
    `Attachments

POST   /api/tasks/{id}/attachments         a form with one file, "file", up to 1 MiB
GET    /api/tasks/{id}/attachments         list
GET    /api/tasks/{id}/attachments/{file}  download
DELETE /api/tasks/{id}/attachments/{file}  delete

Text, PDF and images are accepted.
`,
  ],
  [
    "admin/keys",
    `API keys

Routes for administrators need a key in the header X-API-Key. The keys are in
the environment variable TASKS_API_KEYS, as name=secret,name=secret.
`,
  ],
])

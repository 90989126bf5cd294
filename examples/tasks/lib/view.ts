/** The page and its pieces. Values are escaped by `html`, for the place they stand in. */
import { type Html, html } from "fw/html"
import type { Settings, Task } from "./store.ts"

function row(task: Task): Html {
  const action = task.finished ? "reopen" : "done"
  return html`<li class="${task.finished ? "task done" : "task"}">
  <form method="post" action="/api/tasks/${task.id}/${action}"><button title="${action}">${task.finished ? "↺" : "✓"}</button></form>
  <div>
    <strong>${task.title}</strong> ${task.due && html`<time datetime="${task.due}">${task.due}</time>`}
    ${task.note && html`<p>${task.note}</p>`}
    ${task.attachments.map(
      ({ id, name }) => html`<a href="/api/tasks/${task.id}/attachments/${id}" download>${name}</a> `,
    )}
  </div>
  <form method="post" action="/api/tasks/${task.id}/attachments" enctype="multipart/form-data">
    <label>File <input type="file" name="file" required></label><button>Attach</button>
  </form>
</li>
`
}

/** The list: part of the page, and alone for htmx. */
export function list(tasks: readonly Task[]): Html {
  if (tasks.length === 0) return html`<p id="tasks">Nothing to do.</p>\n`
  return html`<ul id="tasks">\n${tasks.map(row)}</ul>\n`
}

function themeForm(themes: readonly string[], chosen: string): Html {
  const options = themes.map((theme) =>
    theme === chosen ? html`<option selected>${theme}</option>` : html`<option>${theme}</option>`,
  )
  return html`<form method="post" action="/api/preferences"><select name="theme" aria-label="Theme">${options}</select><button>Use</button></form>`
}

/** What the page shows beside the tasks. */
export interface Shown {
  readonly settings: Settings
  readonly theme: string
  readonly themes: readonly string[]
}

export function page(tasks: readonly Task[], { settings, theme, themes }: Shown): Html {
  return html`<!doctype html>
<html lang="en" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${settings.name}</title>
<link rel="icon" href="/static/favicon.svg">
<link rel="stylesheet" href="/static/tasks.css">
</head>
<body>
<header><img src="/static/logo.svg" alt="" width="32" height="32"><h1>${settings.name}</h1>${themeForm(themes, theme)}</header>
${settings.maintenance && html`<p role="status">We are mending something: changes are not taken just now.</p>\n`}
<form method="post" action="/api/tasks" class="new">
  <label>Task <input name="title" required maxlength="120" autofocus></label>
  <label>Due <input name="due" type="date"></label>
  <button>Add</button>
</form>
${list(tasks)}
<footer><a href="/api/tasks/export">Export</a> · <a href="/api/help">Help</a> · <a href="/static/about/">About</a></footer>
</body>
</html>
`
}

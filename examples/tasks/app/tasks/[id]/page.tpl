import type { Context } from "fw"
import { isFor, isFragment } from "../../../lib/pages.ts"
import { limits, store, type Attachment, type Task } from "../../../lib/store.ts"
import { toForm, type TaskForm } from "../../../lib/task-form.ts"
import { acceptedTypes } from "../../../lib/upload.ts"
import { formatShortDay, formatSize } from "../../../lib/words.ts"
import { Alert, Problem, TaskFields } from "../../_components/form.tpl.ts"
import { Back, Clip, Trash } from "../../_components/icons.tpl.ts"
import { Due, Tick } from "../../_components/task.tpl.ts"

export const title = (c: Context) => store.get(c.paramInt("id")).title

const notices: Readonly<Record<string, string>> = {
  task: "Saved.",
  file: "File attached.",
  gone: "File deleted.",
}

/** Messages of the page, in addition to the task and its form. */
export interface Messages {
  readonly notice?: string | undefined
  /** The reason why a file was refused. */
  readonly upload?: string
  /** True to ask for a confirmation before deleting. */
  readonly sure?: boolean
}

/* Finishing a task or attaching a file keeps the rest of the page, which may have unsaved input. */
template Page(c: Context<"id">) {
  {const task = store.get(c.paramInt("id"))}
  {const notice = notices[c.query("saved")]}
  {if (isFor(c, "head")) {
    {Head(task)}
  } else if (isFor(c, "attachments")) {
    {Files(task)}
  } else {
    {Detail(task, toForm(task), { notice, sure: c.query("delete") === "sure" })}
  }}
  {if (isFragment(c)) {
    <p id="live" hx-swap-oob="innerHTML">{notice ?? (task.finished ? "Done." : "Open again.")}</p>
  }}
}

template Detail(task: Task, form: TaskForm, messages: Messages) {
  {const address = `/tasks/${task.id}`}
  <a
    href="/"
    class="-ml-1 inline-flex min-h-11 items-center gap-2 rounded-lg px-1 text-muted hover:text-ink"
  >{Back()}All tasks</a>
  <div id="head" class="mt-2 -ml-2.5 flex items-start gap-1">{Head(task)}</div>
  {if (messages.notice) {
    <p class="mt-5 rounded-lg bg-accent-soft px-4 py-3">{messages.notice}</p>
  }}

  <form
    method="post"
    action={address}
    hx-post={address}
    hx-target="#main"
    hx-sync="this:drop"
    novalidate
    aria-label="Edit the task"
    class="card mt-6 grid gap-5 p-5 sm:p-6"
  >
    {Alert(form.problems.form)}
    {TaskFields(form, false)}
    <div><button id="save" class="button button-main">Save changes</button></div>
  </form>

  <section
    id="attachments"
    aria-labelledby="files"
    class="card mt-6 p-5 sm:p-6"
  >{Files(task, messages.upload)}</section>

  <details class="mt-6" open={messages.sure}>
    <summary class="-ml-1 inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-lg px-1 text-muted marker:content-none hover:text-danger">{Trash()}Delete
      this task</summary>
    <form
      method="post"
      action={`${address}/delete`}
      class="card mt-2 flex flex-wrap items-center justify-between gap-4 p-5"
    >
      <p>The task and its files will be gone for good.</p>
      <input type="hidden" name="sure" value="yes">
      <button class="button button-danger" autofocus={messages.sure}>Yes, delete it</button>
    </form>
  </details>
}

template Head(task: Task) {
  {const now = new Date()}
  {Tick(task, `/tasks/${task.id}`, "#head")}
  <div class="min-w-0 flex-1">
    <h1
      id="place"
      tabindex="-1"
      class={[
        "py-1 text-2xl leading-9 font-semibold tracking-tight text-balance outline-none [overflow-wrap:anywhere] sm:text-3xl/9",
        task.finished && "text-muted line-through decoration-edge",
      ]}
    >{task.title}</h1>
    <p class="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      {if (task.finished) {
        <span>Done <time datetime={task.finished}>{formatShortDay(task.finished, now)}</time></span>
      } else if (task.due) {
        {Due(task.due, now)}
      }}
      <span>Added <time datetime={task.created}>{formatShortDay(task.created, now)}</time></span>
    </p>
  </div>
}

/* The attachments, and the reason why the last file was refused. */
template Files(task: Task, problem: string | undefined = undefined) {
  {const address = `/tasks/${task.id}/attachments`}
  <h2 id="files" class="text-lg font-semibold">Attachments</h2>
  {if (task.attachments.length === 0) {
    <p class="mt-1 text-muted">No files yet.</p>
  } else {
    <ul class="mt-2 divide-y divide-line">{for (const file of task.attachments) { {File(address, file)} }}</ul>
  }}
  {if (task.attachments.length < limits.attachments) {
    <form
      method="post"
      action={address}
      hx-post={address}
      hx-target="#attachments"
      hx-sync="this:drop"
      enctype="multipart/form-data"
      novalidate
      class="mt-4 border-t border-line pt-4"
    >
      <label for="file" class="block font-medium">Attach a file</label>
      <p id="file-hint" class="mt-0.5 text-sm text-muted">Text, PDF or an image, 1 MB at most.</p>
      <div class="mt-2 flex flex-wrap items-center gap-3">
        <input
          id="file"
          name="file"
          type="file"
          required
          accept={acceptedTypes}
          autofocus={problem !== undefined}
          aria-invalid={problem && "true"}
          aria-describedby={problem ? "file-problem" : "file-hint"}
          class="min-w-0 flex-[1_1_14rem] cursor-pointer rounded-lg text-sm text-muted file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-lg file:border file:border-solid file:border-line file:bg-surface file:px-4 file:text-base file:font-medium file:text-ink hover:file:border-edge"
        >
        <button id="attach" class="button button-plain">Attach</button>
      </div>
      {Problem("file-problem", problem)}
    </form>
  } else {
    <p class="mt-4 border-t border-line pt-4 text-sm text-muted">{limits.attachments} files are all that a
      task can have.</p>
  }}
}

template File(address: string, file: Attachment) {
  <li class="flex items-center gap-3 py-1.5">
    <span class="text-muted">{Clip()}</span>
    <a
      href={`/api${address}/${file.id}`}
      download
      class="link min-w-0 flex-1 [overflow-wrap:anywhere]"
    >{file.name}</a>
    <span class="text-sm whitespace-nowrap text-muted">{formatSize(file.size)}</span>
    {const remove = `${address}/${file.id}/delete`}
    <form
      method="post"
      action={remove}
      hx-post={remove}
      hx-target="#attachments"
      hx-confirm={`Delete the file “${file.name}”?`}
    >
      <button
        aria-label={`Delete the file ${file.name}`}
        class="grid size-11 cursor-pointer place-items-center rounded-full text-muted transition-colors hover:bg-danger-soft hover:text-danger"
      >{Trash()}</button>
    </form>
  </li>
}

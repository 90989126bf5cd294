import { emptyForm, type TaskForm } from "../../../lib/task-form.ts"
import { Alert, TaskFields } from "../../_components/form.tpl.ts"
import { Back } from "../../_components/icons.tpl.ts"

export const title = "New task"

template Page() {
  {New(emptyForm)}
}

template New(form: TaskForm) {
  <a
    href="/"
    class="-ml-1 inline-flex min-h-11 items-center gap-2 rounded-lg px-1 text-muted hover:text-ink"
  >{Back()}All tasks</a>
  <h1 class="mt-2 text-3xl font-semibold tracking-tight">New task</h1>
  <form method="post" action="/tasks/new" novalidate class="card mt-6 grid gap-5 p-5 sm:p-6">
    {Alert(form.problems.form)}
    {TaskFields(form, true)}
    <div class="flex flex-wrap gap-3">
      <button class="button button-main">Add task</button>
      <a href="/" class="button button-plain">Cancel</a>
    </div>
  </form>
}

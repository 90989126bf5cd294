// The fields of a task form, with their error messages.
import type { Problems, TaskForm } from "../../lib/task-form.ts"

template Problem(id: string, text: string | undefined) {
  {if (text) {
    <p id={id} class="mt-1.5 text-sm font-medium text-danger">{text}</p>
  }}
}

template Alert(text: string | undefined) {
  {if (text) {
    <p role="alert" class="rounded-lg bg-danger-soft px-4 py-3 font-medium text-danger">{text}</p>
  }}
}

/* The first invalid field gets the focus, and screen readers read its message with it. */
template TaskFields({ fields, problems }: TaskForm, focus: boolean) {
  {const first = findFirstProblem(problems)}
  <div>
    <label for="title" class="mb-1.5 block font-medium">Title</label>
    <input
      id="title"
      name="title"
      value={fields.title}
      class="field"
      required
      maxlength="120"
      autocomplete="off"
      autofocus={first === "title" || (focus && !first)}
      aria-invalid={problems.title && "true"}
      aria-describedby={problems.title && "title-problem"}
    >
    {Problem("title-problem", problems.title)}
  </div>
  <div>
    <label
      for="note"
      class="mb-1.5 block font-medium"
    >Note <span class="font-normal text-muted">(optional)</span></label>
    <textarea
      id="note"
      name="note"
      rows="5"
      class="field"
      maxlength="4000"
      autofocus={first === "note"}
      aria-invalid={problems.note && "true"}
      aria-describedby={problems.note && "note-problem"}
    >{fields.note}</textarea>
    {Problem("note-problem", problems.note)}
  </div>
  <div>
    <label
      for="due"
      class="mb-1.5 block font-medium"
    >Due <span class="font-normal text-muted">(optional)</span></label>
    <input
      id="due"
      name="due"
      type="date"
      value={fields.due}
      class="field sm:w-56"
      autofocus={first === "due"}
      aria-invalid={problems.due && "true"}
      aria-describedby={problems.due && "due-problem"}
    >
    {Problem("due-problem", problems.due)}
  </div>
}

const findFirstProblem = (problems: Problems) =>
  (["title", "note", "due"] as const).find((name) => problems[name])

/** The lines that the reporter of a test process writes: what happened, as JSON. */

/** A failed test, as the reporter knows it. */
export interface FailureRecord {
  readonly message: string
  /** With the lines of the sources, because Node maps them. Empty if the test threw something other than an error. */
  readonly stack: string
  /** The fix of an FwError. */
  readonly fix?: string
  /** The two values of an assertion, as Node prints them. */
  readonly expected?: string
  readonly actual?: string
}

/** A line of the reporter. Files are absolute. */
export type TestRecord =
  /** A test has ended. */
  | {
      readonly kind: "test"
      /** Its names, those of its suites first. */
      readonly names: readonly string[]
      readonly file: string
      readonly line: number
      readonly outcome: "passed" | "failed" | "skipped" | "todo"
      readonly ms: number
      readonly failure?: FailureRecord
    }
  /** A test file or a test in it begins or ends. These lines arrive at once, in no order. */
  | { readonly kind: "begin" | "end"; readonly file: string; readonly name: string }
  /** An error that no test was waiting for, as Node prints it. */
  | { readonly kind: "late"; readonly file: string; readonly text: string }
  /** A file's own output. */
  | {
      readonly kind: "output"
      readonly file: string
      readonly stream: "stdout" | "stderr"
      readonly text: string
    }

/** Begins a line of the standard error by which the process of a test file passes a late error. */
export const lateLine = "\0fw late error "

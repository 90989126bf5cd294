/** Collects the changes that no build includes yet. */

/** Paths of changed files; null if every file counts as changed. */
export type Changes = ReadonlySet<string> | null

/** Collects changes until a build takes them. */
export class PendingChanges {
  #changes: Changes | undefined

  /** True if there are no changes. */
  get isEmpty(): boolean {
    return this.#changes === undefined
  }

  add(paths: Iterable<string> | null): void {
    if (this.#changes === null) return
    this.#changes = paths && new Set([...(this.#changes ?? []), ...paths])
  }

  /** Returns the changes for a build; undefined if there are none. */
  take(): Changes | undefined {
    const changes = this.#changes
    this.#changes = undefined
    return changes
  }

  /**
   * Adds the changes of a build again if newer changes have made the build out of date, so that the next build gets
   * both.
   *
   * @returns true if the build is out of date.
   */
  restoreIfOutdated(built: Changes): boolean {
    if (this.isEmpty) return false
    this.add(built)
    return true
  }
}

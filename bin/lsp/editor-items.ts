/** Items of completion as an editor can show them. */

/** An item as a language service gives it (LSP 3.17, CompletionItem). */
export interface Item {
  readonly label: string
  readonly insertText?: string
  readonly insertTextFormat?: number
  readonly textEdit?: { readonly newText: string }
  readonly command?: unknown
}

interface Initialize {
  readonly clientInfo?: { readonly name?: string }
  readonly capabilities?: {
    readonly textDocument?: {
      readonly completion?: { readonly completionItem?: { readonly snippetSupport?: boolean } }
    }
  }
}

const snippet = 2
const place = /\$(?:\d|\{\d[^}]*\})/g

/** Facts about completion that an editor gives when it starts. */
export class EditorItems {
  #hasSnippets = false
  #isVSCode = false

  /** True if the editor has places to fill in. */
  get hasSnippets(): boolean {
    return this.#hasSnippets
  }

  /** Reads the parameters of `initialize`. */
  start(params: unknown): void {
    const { clientInfo, capabilities } = (params ?? {}) as Initialize
    this.#hasSnippets = capabilities?.textDocument?.completion?.completionItem?.snippetSupport === true
    this.#isVSCode = clientInfo?.name?.startsWith("Visual Studio Code") === true
  }

  /** Returns an item without what the editor does not know: places to fill in, and commands of Visual Studio Code. */
  shown({ command, ...item }: Item): Item {
    const shown = this.#isVSCode && command !== undefined ? { ...item, command } : item
    if (this.#hasSnippets || item.insertTextFormat !== snippet) return shown
    const { textEdit, insertText } = item
    const bare = (text: string) => text.replace(place, "")
    return {
      ...shown,
      insertTextFormat: 1,
      ...(textEdit && { textEdit: { ...textEdit, newText: bare(textEdit.newText) } }),
      ...(insertText !== undefined && { insertText: bare(insertText) }),
    }
  }
}

/** Adapts completion items to what the editor supports. */

/** A completion item of a language service (LSP 3.17, CompletionItem). */
export interface CompletionItem {
  readonly label: string
  readonly insertText?: string
  readonly insertTextFormat?: number
  readonly textEdit?: { readonly newText: string }
  readonly command?: unknown
}

interface InitializeParams {
  readonly clientInfo?: { readonly name?: string }
  readonly capabilities?: {
    readonly textDocument?: {
      readonly completion?: { readonly completionItem?: { readonly snippetSupport?: boolean } }
    }
  }
}

const snippetFormat = 2
const snippetPlaceholder = /\$(?:\d|\{\d[^}]*\})/g

/** Knows what the editor supports in completion items. */
export class EditorItems {
  #hasSnippets = false
  #isVSCode = false

  /** True if the editor supports snippets, which have placeholders to fill in. */
  get hasSnippets(): boolean {
    return this.#hasSnippets
  }

  /** Reads the parameters of `initialize`. */
  initialize(params: unknown): void {
    const { clientInfo, capabilities } = (params ?? {}) as InitializeParams
    this.#hasSnippets = capabilities?.textDocument?.completion?.completionItem?.snippetSupport === true
    this.#isVSCode = clientInfo?.name?.startsWith("Visual Studio Code") === true
  }

  /** Removes from an item what the editor does not support: placeholders, and commands of Visual Studio Code. */
  adaptItem({ command, ...item }: CompletionItem): CompletionItem {
    const itemWithCommand = this.#isVSCode && command !== undefined ? { ...item, command } : item
    if (this.#hasSnippets || item.insertTextFormat !== snippetFormat) return itemWithCommand
    const { textEdit, insertText } = item
    const removePlaceholders = (text: string) => text.replace(snippetPlaceholder, "")
    return {
      ...itemWithCommand,
      insertTextFormat: 1,
      ...(textEdit && { textEdit: { ...textEdit, newText: removePlaceholders(textEdit.newText) } }),
      ...(insertText !== undefined && { insertText: removePlaceholders(insertText) }),
    }
  }
}

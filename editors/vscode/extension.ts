/** The extension for Visual Studio Code: starts one `fw lsp` per project whose templates are open. */

import { commands, type ExtensionContext, type TextDocument, window, workspace } from "vscode"
import { LanguageClient } from "vscode-languageclient/node"
import { findProject, toServer } from "./server.ts"

/** The clients of the language servers, by the path of the project. */
const clients = new Map<string, LanguageClient>()

/** Starts language servers. The editor calls this function when the first template is opened. */
export function activate(context: ExtensionContext): void {
  const openAll = () => {
    for (const document of workspace.textDocuments) openDocument(document)
  }
  context.subscriptions.push(
    workspace.onDidOpenTextDocument(openDocument),
    // fw lsp is a program of the project, so it may start only once the user trusts the project.
    workspace.onDidGrantWorkspaceTrust(openAll),
    workspace.onDidChangeConfiguration((change) => {
      if (["fw.node", "fw.typescript"].some((name) => change.affectsConfiguration(name))) void restart(openAll)
    }),
    commands.registerCommand("fw.restart", () => restart(openAll)),
  )
  openAll()
}

/** Stops all language servers. The editor calls this function when it ends. */
export async function deactivate(): Promise<void> {
  const running = [...clients.values()]
  clients.clear()
  await Promise.all(running.map((client) => client.stop()))
}

async function restart(openAll: () => void): Promise<void> {
  await deactivate()
  openAll()
}

function openDocument({ languageId, uri }: TextDocument): void {
  if (languageId !== "tpl" || uri.scheme !== "file" || !workspace.isTrusted) return
  const project = findProject(uri.fsPath)
  if (project === undefined || clients.has(project)) return
  const settings = workspace.getConfiguration("fw", uri)
  const { command, args, cwd, env } = toServer(project, settings.get("node"))
  const options = { cwd, env: { ...process.env, ...env } }
  const languages = settings.get("typescript") === true ? ["tpl", "typescript"] : ["tpl"]
  const client = new LanguageClient(
    "fw",
    "fw lsp",
    { command, args: [...args], options },
    {
      documentSelector: languages.map((language) => ({
        language,
        scheme: "file",
        pattern: {
          baseUri: uri.with({ path: toProjectPath(uri.path, uri.fsPath, project) }).toString(),
          pattern: "**/*",
        },
      })),
    },
  )
  clients.set(project, client)
  client.start().catch((error: unknown) => {
    clients.delete(project)
    void window.showErrorMessage(`fw lsp did not start in ${project}: ${String(error)}`)
  })
}

/**
 * Returns the path of the project as part of a URI, given the path of a file in the URI. A path in a URI may be spelled
 * differently from one in the file system, so only the lengths are compared.
 */
function toProjectPath(path: string, file: string, project: string): string {
  return path.slice(0, path.length - (file.length - project.length))
}

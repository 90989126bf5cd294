/** The spec of `fw completion`. */
import { defineSpec } from "../cli/spec.ts"

export const completion = defineSpec({
  anywhere: true,
  summary: "Print a shell completion script",
  description:
    "Redirect it to the file shown below and open a new shell. For zsh, add fpath+=~/.zfunc before compinit in ~/.zshrc. Repeat this after an upgrade of fw. The script completes the command fw; in a project, define alias fw='npx fw' to get that name.",
  arguments: [{ name: "shell", description: "Shell to complete for", values: ["bash", "zsh", "fish"] }],
  examples: [
    "fw completion bash > ~/.local/share/bash-completion/completions/fw",
    "fw completion zsh > ~/.zfunc/_fw",
    "fw completion fish > ~/.config/fish/completions/fw.fish",
  ],
})

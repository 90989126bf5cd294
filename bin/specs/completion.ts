/** The spec of `fw completion`. Read by the table, and by the command for its options. */
import { spec } from "../spec.ts"

/** `fw completion` */
export const completion = spec({
  anywhere: true,
  summary: "Print a script that completes fw's commands and flags in a shell",
  description:
    "Save it where the shell looks, as below, and open a new shell; zsh looks there with fpath+=~/.zfunc before compinit in ~/.zshrc. Do it again after an upgrade. It completes the command fw: inside a project, alias fw='npx fw' gives that name.",
  arguments: [{ name: "shell", description: "Which shell", values: ["bash", "zsh", "fish"] }],
  examples: [
    "fw completion bash > ~/.local/share/bash-completion/completions/fw",
    "fw completion zsh > ~/.zfunc/_fw",
    "fw completion fish > ~/.config/fish/completions/fw.fish",
  ],
})

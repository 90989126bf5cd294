/** Reads the environment variables of the application. README.md describes them. */

/** Directory for the tasks; null to keep them only in memory. */
export const dataDirectory = process.env.TASKS_DATA === "" ? null : (process.env.TASKS_DATA ?? "data")

/** Other origins, such as `https://board.example`, whose pages may use the API. */
export const origins = splitList(process.env.TASKS_ORIGINS)

/** Host names under which language models reach the tools, such as `tasks.example`. */
export const hosts = splitList(process.env.TASKS_HOSTS)

/** Administrators: the secret of each by name, from `name=secret,name=secret`. */
export const apiKeys = new Map(
  splitList(process.env.TASKS_API_KEYS).map((pair) => {
    const [name = "", ...secret] = pair.split("=")
    if (name === "" || secret.join("=") === "")
      throw new Error("TASKS_API_KEYS is not name=secret,name=secret")
    return [name, secret.join("=")]
  }),
)

/** Contact for security reports. */
export const securityContact = process.env.TASKS_CONTACT ?? "mailto:security@tasks.example"

function splitList(value = ""): string[] {
  return value.split(",").filter((item) => item !== "")
}

import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"

/** Where a machine has its own Node; the repository's is first on PATH. */
const PLACES = ["/usr/bin/node", "/usr/local/bin/node", "/opt/homebrew/bin/node"]

/** The path of a Node that is older than what the package needs; `null` if the machine has none. */
export const oldNode = (): string | null => PLACES.find((path) => existsSync(path) && majorOf(path) < 22) ?? null

const majorOf = (path: string): number =>
  Number(/^v(\d+)/.exec(execFileSync(path, ["--version"], { encoding: "utf8" }))?.[1] ?? "99")

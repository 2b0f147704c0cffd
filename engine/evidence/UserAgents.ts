import type { Agent } from "./Exchange.ts"
import { trimTrailingSlashes } from "../text/Trim.ts"

/** The `User-Agent` of each of our two agents. Both are ours, and say so. */
export type UserAgents = Readonly<Record<Agent, string>>

/** `baseUrl` is the service's own URL, where `/bot` explains the agents; `null` where there is no service. */
export const userAgents = (version: string, baseUrl: string | null): UserAgents => {
  const explained = baseUrl === null ? null : `+${trimTrailingSlashes(baseUrl)}/bot`
  return {
    docgauge: explained === null ? `docgauge/${version}` : `docgauge/${version} (${explained})`,
    browser: `Mozilla/5.0 (${["compatible", `docgauge/${version}`, "browser comparison", ...(explained === null ? [] : [explained])].join("; ")})`
  }
}

/** Which agent a recorded `User-Agent` belongs to; another crawler's counts as our own. */
export const agentOf = (userAgent: string): Agent => (userAgent.includes("browser comparison") ? "browser" : "docgauge")

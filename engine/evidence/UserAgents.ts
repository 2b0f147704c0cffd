import { type Agent, type Asked, type AskedAs, firstHeaderIn, type Headers } from "./Exchange.ts"
import { trimTrailingSlashes } from "../text/WhiteSpace.ts"

/** The `User-Agent` of each of our two agents. Both name docgauge. */
export type UserAgents = Readonly<Record<Agent, string>>

/**
 * What a desktop browser sends. Our second agent has it before its own name, as the crawlers of search engines do: a site that
 * sorts agents from browsers looks for the names of browsers. Sites turn away versions that are years old, so it is raised with releases.
 */
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"

/** `baseUrl` is the service's own URL, where `/bot` explains the agents; `null` where there is no service. */
export const userAgents = (version: string, baseUrl: string | null): UserAgents => {
  const name = `docgauge/${version}`
  const explained = baseUrl === null ? [] : [`+${trimTrailingSlashes(baseUrl)}/bot`]
  return {
    docgauge: [name, ...explained.map((url) => `(${url})`)].join(" "),
    browser: `${BROWSER} ${name} (${["browser comparison", ...explained].join("; ")})`
  }
}

/** Which agent a recorded `User-Agent` belongs to; another crawler's counts as our own. */
export const agentOf = (userAgent: string): Agent => (userAgent.includes("browser comparison") ? "browser" : "docgauge")

/** The header of requests that are sent as somebody else's agent. It names docgauge, and the agent by our name of it. */
const NAMING_HEADER = "x-docgauge"

/** Who asks: `User-Agent`, and of a request that is sent as somebody else's agent, `X-Docgauge`. */
export const agentHeaders = (
  { agent, sentAs }: Asked,
  agents: UserAgents
): ReadonlyArray<readonly [name: string, value: string]> =>
  sentAs === undefined
    ? [["user-agent", agents[agent]]]
    : [
        ["user-agent", sentAs.userAgent],
        [NAMING_HEADER, `${agents.docgauge}; as=${sentAs.id}`]
      ]

/** The agent that a recorded request was sent as; `null`: it was sent as none. */
export const askedAs = (headers: Headers): AskedAs | null => {
  const id = /; as=([a-z0-9-]{1,40})$/.exec(firstHeaderIn(headers, NAMING_HEADER) ?? "")?.[1]
  return id === undefined ? null : { id, userAgent: firstHeaderIn(headers, "user-agent") ?? "" }
}

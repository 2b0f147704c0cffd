import { NAMED_AGENTS } from "../../audit/agents/NamedAgents.ts"
import { AI_AGENTS } from "../../site/wellknown/Robots.ts"

/** What an agent reads for: as A3 tells agents apart, and those that write code with documentation beside them. */
export const AGENT_KINDS = ["user", "coding", "search", "training", "script"] as const
export type LogAgentKind = (typeof AGENT_KINDS)[number]

/** Who sent a request. `browser`, `crawler` and `docgauge` are counted and not told apart. */
export interface LogAgent {
  readonly name: string
  readonly kind: LogAgentKind | "browser" | "crawler" | "docgauge" | "unknown"
}

/** Of the agents of A3's list, those that write code. */
const CODING_TOKENS: ReadonlySet<string> = new Set([
  "Claude-Code",
  "Cursor",
  "Devin",
  "Google-Gemini-CLI",
  "opencode",
  "Trae"
])

/** The one of `NAMED_AGENTS` whose name in robots.txt is not on A3's list. */
const MCP_FETCH = "ModelContextProtocol"

const named: ReadonlyArray<LogAgent> = [
  ...AI_AGENTS.map(({ kind, token }) => ({ name: token, kind: CODING_TOKENS.has(token) ? ("coding" as const) : kind })),
  { name: MCP_FETCH, kind: "coding" }
]

/** A group of names as words of a `User-Agent`; of two names that begin alike the longer one counts. */
const anyOf = (agents: ReadonlyArray<LogAgent>): RegExp => {
  const names = agents
    .map(({ name }) => name)
    .toSorted((one, other) => other.length - one.length)
    .map((name) => name.replaceAll(/[.!]/g, "\\$&"))
  return new RegExp(`(?<![\\w-])(?:${names.join("|")})(?![\\w-])`, "i")
}

const byName: ReadonlyMap<string, LogAgent> = new Map(named.map((agent) => [agent.name.toLowerCase(), agent]))
// Claude Code calls itself Claude-User too, so names of coding agents are looked for first.
const coding = anyOf(named.filter(({ kind }) => kind === "coding"))
const anyNamed = anyOf(named)

const script = (name: string): LogAgent => ({ name, kind: "script" })

/** Clients that programs use, and coding agents with them, by the name that their `User-Agent` begins with. */
const CLIENTS: ReadonlyArray<LogAgent> =
  "aiohttp Apache-HttpClient axios Bun curl Deno Faraday git Go-http-client got GuzzleHttp HTTPie Java java-http-client libwww-perl node node-fetch okhttp PHP PostmanRuntime python-httpx httpx Python-urllib python-requests python-urllib3 reqwest Ruby undici Wget WindowsPowerShell"
    .split(" ")
    .map(script)

const clientByName: ReadonlyMap<string, LogAgent> = new Map(
  CLIENTS.map((client) => [client.name.toLowerCase(), client])
)

const HEADLESS = script("HeadlessChrome")
const OTHER_SCRIPTS = script("other scripts")
const NO_NAME = script("no user agent")
const MARKDOWN_BROWSER = script("browser that asks for Markdown")
const BROWSER: LogAgent = { name: "browsers", kind: "browser" }
const CRAWLER: LogAgent = { name: "other crawlers", kind: "crawler" }
const OWN: LogAgent = { name: "docgauge", kind: "docgauge" }
const UNKNOWN: LogAgent = { name: "unknown", kind: "unknown" }

/** All that requests are counted for one by one, in a fixed order. */
export const COUNTED_AGENTS: ReadonlyArray<LogAgent> = [
  ...named,
  ...CLIENTS,
  HEADLESS,
  MARKDOWN_BROWSER,
  OTHER_SCRIPTS,
  NO_NAME
]

const CRAWLER_WORDS = /bot\b|crawl|spider|slurp|archive|monitor|uptime|preview|scan|feed|check|externalhit|https?:\/\//i

const agentOfUserAgent = (userAgent: string): LogAgent => {
  if (userAgent === "" || userAgent === "-") return NO_NAME
  if (/\bdocgauge\//.test(userAgent)) return OWN
  const [name] = coding.exec(userAgent) ?? anyNamed.exec(userAgent) ?? []
  if (name !== undefined) return byName.get(name.toLowerCase()) ?? OTHER_SCRIPTS
  const [client = ""] = /^[\w-]{2,40}/.exec(userAgent) ?? []
  const known = clientByName.get(client.toLowerCase())
  if (known !== undefined) return known
  if (/HeadlessChrome/.test(userAgent)) return HEADLESS
  if (CRAWLER_WORDS.test(userAgent)) return CRAWLER
  return /^(?:Mozilla|Opera)\//.test(userAgent) ? BROWSER : OTHER_SCRIPTS
}

/** Agents that ask with the name of a browser or client, by the `Accept` that only they send. */
const byAccept: ReadonlyMap<string, LogAgent> = new Map(
  NAMED_AGENTS.flatMap(({ accept, robotsToken, userAgent }) => {
    const [own] = coding.exec(userAgent) ?? [robotsToken]
    const agent = byName.get(own.toLowerCase())
    return accept === null || agent === undefined ? [] : [[accept.replaceAll(" ", ""), agent]]
  })
)

/** Distinct user agents that are kept; a log with more of them costs time and no memory. */
const MOST_KEPT = 10_000

/** Tells who sent a request; `isNegotiated`: it got Markdown at the URL of a page, which it must have asked for. */
type AgentReader = (userAgent: string | null, accept: string | null, isNegotiated: boolean) => LogAgent

/** Most lines of a log repeat a user agent, so answers are kept. */
export const makeAgentReader = (): AgentReader => {
  const known = new Map<string, LogAgent>()
  const agentOf = (userAgent: string): LogAgent => {
    const seen = known.get(userAgent)
    if (seen !== undefined) return seen
    const agent = agentOfUserAgent(userAgent.slice(0, LONGEST_USER_AGENT))
    if (known.size >= MOST_KEPT) known.clear()
    known.set(ownCopy(userAgent), agent)
    return agent
  }
  return (userAgent, accept, isNegotiated) => {
    if (userAgent === null) return UNKNOWN
    const agent = agentOf(userAgent)
    if (agent.kind !== "browser" && agent.kind !== "script") return agent
    const exact = accept === null ? undefined : byAccept.get(accept.replaceAll(" ", ""))
    if (exact !== undefined) return exact
    const asksForMarkdown = isNegotiated || accept?.includes("text/markdown") === true
    return agent === BROWSER && asksForMarkdown ? MARKDOWN_BROWSER : agent
  }
}

const LONGEST_USER_AGENT = 500

/** V8 keeps the whole text alive that a slice was cut from, here a piece of the log; this is a text of its own. */
export const ownCopy = (text: string): string => Buffer.from(text, "utf8").toString("utf8")

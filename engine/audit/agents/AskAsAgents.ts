import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { pageKey } from "../../evidence/Address.ts"
import { makeCollector, type ReadRobots, type SiteBounds } from "../../evidence/Collector.ts"
import {
  type Answer,
  type Exchange,
  type Fault,
  type FaultKind,
  isAnswer,
  isChallenge,
  isChallengeError,
  isOk,
  mediaType
} from "../../evidence/Exchange.ts"
import { FetchLimits } from "../../evidence/FetchLimits.ts"
import { type Journal, type JournalEntry, type JournalListener, makeJournal } from "../../evidence/Journal.ts"
import { Transport } from "../../evidence/Transport.ts"
import type { AgentReading } from "../../page/conversion/AgentReading.ts"
import { ParserPool } from "../../parse/ParserPool.ts"
import { evenStride } from "../../site/base/EvenStride.ts"
import type { Site } from "../../site/Site.ts"
import { llmsCandidates } from "../../site/wellknown/LlmsTxt.ts"
import { lets, robotsFileOf } from "../../site/wellknown/Robots.ts"
import { allows } from "../../site/wellknown/RobotsFile.ts"
import { plainText } from "../../text/PlainText.ts"
import {
  type AgentAnswer,
  type AsAgentsReport,
  type AskedAgent,
  LONGEST_AGENT_TEXT,
  NAMED_AGENTS,
  type NamedAgent
} from "./NamedAgents.ts"

/** The name of the collectors of agents, in archives. */
const COLLECTOR = "site/agents"

/** Pages besides the base that are asked for as each agent. */
const PAGES = 3

/** Of one agent: robots.txt, the base, the pages and llms.txt. All agents together send at most `REQUESTS_AS_AGENTS`. */
const RETRIEVALS = PAGES + 3

/** Body bytes that one agent may receive. */
const BYTES = 5 * 1024 * 1024

/** Where and how agents ask. */
interface Asking {
  readonly bounds: SiteBounds
  readonly host: string | undefined
  readonly journal: Journal
  readonly asked: AsAgentsReport["asked"]
  /** When no page is read any more, in milliseconds since the epoch. */
  readonly until: number
  /** What docgauge itself got for the site's robots.txt. */
  readonly robots: Exchange
}

/** What came of asking as agents: the matrix, `null` if an archive has none, and all requests. */
interface AskedAsAgents {
  readonly matrix: AsAgentsReport | null
  readonly journal: ReadonlyArray<JournalEntry>
}

/**
 * Asks for a few URLs of an audited site as each of these agents asks. Called once everything was judged: the audit is what it would be
 * without. Agents ask one after the other, each at the pace of the audit and within what robots.txt lets it read.
 *
 * @param options.ids the agents, by their ids in `NAMED_AGENTS`
 * @param options.host the only host that is asked, with its port; if missing, any of the site
 * @param options.leftMs the time left for it
 */
export const askAsAgents = Effect.fn("AsAgents.ask")(function* ({
  bounds,
  host,
  ids,
  leftMs,
  listen,
  site
}: {
  readonly host?: string | undefined
  readonly ids: ReadonlyArray<string>
  readonly site: Site
  readonly bounds: SiteBounds
  readonly leftMs: number
  readonly listen: JournalListener
}): Effect.fn.Return<AskedAsAgents, never, Transport | ParserPool> {
  return yield* Effect.gen(function* () {
    const journal = yield* makeJournal(yield* Transport, yield* Effect.scope, leftMs, listen)
    const { exchange: robots } = yield* site.robots
    const until = (yield* Clock.currentTimeMillis) + leftMs
    const asking: Asking = { bounds, host, journal, until, robots, asked: yield* urlsToAsk(site) }
    const agents = (yield* Effect.forEach(
      NAMED_AGENTS.filter(({ id }) => ids.includes(id)),
      (agent) => askAs(agent, asking)
    )).filter((one) => one !== null)
    const entries = yield* journal.entries
    const requests = entries.filter(({ hop }) => hop._tag === "HopAnswer" || !NOT_ASKED.has(hop.kind)).length
    return { matrix: agents.length === 0 ? null : { asked: asking.asked, agents, requests }, journal: entries }
  }).pipe(Effect.scoped)
})

/** robots.txt, the base page, pages of the sample from all over it, and llms.txt where there is one or where it should be. */
const urlsToAsk = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<AsAgentsReport["asked"]> {
  const [{ pages }, { file }, { url: robots }] = yield* Effect.all([site.sample, site.llmsTxt, site.robots])
  const { base } = site
  const others = pages.map(({ url }) => url).filter((url) => pageKey(url) !== pageKey(base.url))
  return [
    { what: "robots.txt", url: robots },
    { what: "base", url: base.url },
    ...evenStride([...new Set(others)], PAGES).map((url) => ({ what: "page", url }) as const),
    { what: "llms.txt", url: file?.url ?? llmsCandidates(base)[0] ?? base.url }
  ]
})

/** Asks as one agent; `null`: this archive is of a run that did not. */
const askAs = Effect.fnUntraced(function* (
  agent: NamedAgent,
  { asked, bounds, host, journal, robots, until }: Asking
): Effect.fn.Return<AskedAgent | null, never, ParserPool | Scope.Scope> {
  const pool = yield* ParserPool
  const read = (answer: Answer) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.timeoutOrElse(pool.asAgent({ answer }, agent), {
        duration: Math.max(0, until - now),
        orElse: () => Effect.succeed(null)
      })
    )
  const accept = agent.accept ?? "*/*"
  const collector = makeCollector({
    ...bounds,
    host,
    name: COLLECTOR,
    limits: yield* FetchLimits,
    scope: yield* Effect.scope,
    journal,
    allowance: { requests: RETRIEVALS, bytes: BYTES },
    as: { agent: { id: agent.id, userAgent: agent.userAgent }, accept },
    readRobots: rulesFor(agent, robots),
    fallShort: () => {}
  })
  // Alone and first, because it decides on the others.
  const own = yield* collector.get(robots.asked.url)
  if (!isAnswer(own) && own.kind === "not_recorded") return null
  const exchanges = yield* collector.getAll(asked.map(({ url }) => url))
  const answers = yield* Effect.forEach(exchanges, (exchange) =>
    isOk(exchange)
      ? Effect.map(read(exchange), (reading) => answered(exchange, reading))
      : Effect.succeed(isAnswer(exchange) ? answered(exchange, null) : unanswered(exchange, isUnreachable(own)))
  )
  return {
    id: agent.id,
    name: agent.name,
    operator: agent.operator,
    robots_token: agent.robotsToken,
    user_agent: agent.userAgent,
    accept,
    accept_published: agent.accept !== null,
    converts: agent.converts,
    keeps: agent.keeps,
    sources: [...new Set(Object.values(agent.sources).filter((source) => source !== null))],
    checked: agent.checked,
    answers
  }
})

/**
 * What an agent may fetch of a host: what the host's robots.txt, as it is served to the agent, lets it read by its name. On the
 * audited host also what the one says that we were served, and nowhere what docgauge itself is forbidden by name.
 */
const rulesFor =
  ({ robotsToken }: NamedAgent, ours: Exchange): ReadRobots =>
  (theirs) => {
    if (isUnreachable(theirs)) return Effect.succeed(() => false)
    const isOpenBy = (robots: Exchange): ((url: string) => boolean) => {
      const [file, letsUs] = [robotsFileOf(robots), lets(robots)]
      return (url) => letsUs(url) && allows(file, robotsToken, url)
    }
    const [byTheirs, byOurs] = [isOpenBy(theirs), isOpenBy(ours)]
    const { origin } = new URL(ours.asked.url)
    return Effect.succeed((url) => byTheirs(url) && (new URL(url).origin !== origin || byOurs(url)))
  }

/** A robots.txt that a crawler has to take as one that forbids everything (RFC 9309, section 2.3.1.4), and one that we should not ask past. */
const isUnreachable = (robots: Exchange): boolean => !isAnswer(robots) || robots.status >= 500 || robots.status === 429

const answered = (answer: Answer, reading: AgentReading | null): AgentAnswer => ({
  outcome: "answered",
  status: answer.status,
  type: plainText(mediaType(answer), LONGEST_AGENT_TEXT),
  ...(answer.url === answer.asked.url ? {} : { url: answer.url }),
  ...(isChallenge(answer) || isChallengeError(answer) ? { challenge: true as const } : {}),
  characters: reading?.characters ?? null,
  given: reading?.given ?? null,
  ends: reading === null ? null : plainText(reading.ends, LONGEST_AGENT_TEXT)
})

const unanswered = ({ kind, message, redirects }: Fault, robotsUnread: boolean): AgentAnswer => ({
  outcome:
    kind === "shut_out"
      ? robotsUnread
        ? "robots_unread"
        : "disallowed"
      : NOT_ASKED.has(kind) || (kind === "off_site" && redirects.length === 0)
        ? "not_asked"
        : "failed",
  status: null,
  type: null,
  characters: null,
  given: null,
  ends: null,
  why: plainText(message, LONGEST_AGENT_TEXT)
})

/** Faults of requests that were not sent, or whose answer we did not keep. */
const NOT_ASKED: ReadonlySet<FaultKind> = new Set<FaultKind>([
  "budget",
  "too_many_bytes",
  "too_many_requests",
  "deadline",
  "unresponsive",
  "rate_limited",
  "not_recorded",
  "archive_cut",
  "needs_server"
])

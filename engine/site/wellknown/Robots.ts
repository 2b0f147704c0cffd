import * as Effect from "effect/Effect"
import { below } from "../../evidence/Address.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { type Exchange, isAnswer } from "../../evidence/Exchange.ts"
import type { Base, Derivation, Using } from "../base/Derivation.ts"
import { fileVerdict, type NotFoundProbe } from "./FileVerdict.ts"
import { PUBLIC_AI_AGENTS } from "./PublicAiAgents.ts"
import { allows, names, parseRobots, type RobotsFile } from "./RobotsFile.ts"
import { robotsSpender } from "../base/Base.ts"

/** `R/robots.txt`: what came of asking for it, and what it says. */
export interface Robots {
  readonly url: string
  readonly exchange: Exchange
  /**
   * `read`: there is one (an empty file is one). `html`: a web page is served instead. `missing`: the site says that
   * there is none, if only in words. `unobtainable`: no usable response, or one on another site, so nothing is known.
   */
  readonly state: "read" | "html" | "missing" | "unobtainable"
  /** What the file says; empty unless `state` is `read`. */
  readonly file: RobotsFile
  /** AI agents that a group names, in the order of `AI_AGENTS`. */
  readonly namedAgents: ReadonlyArray<AiAgent>
  /** Values of `Content-Signal` lines, in order. */
  readonly signals: ReadonlyArray<string>
  /** `docgauge` is shut out from `B` by its own name: the site is not to be audited. */
  readonly shutsOutDocgauge: boolean
}

const OWN_NAME = "docgauge"

/** Asks for `R/robots.txt`. */
export const robots: Derivation<Robots, Using<{ notFoundProbe: NotFoundProbe }>> = {
  ...robotsSpender,
  gather: ({ base, collector }, { notFoundProbe }): Effect.Effect<Robots> => {
    const url = below(base.origin, "robots.txt")
    return Effect.zipWith(
      collector.get(url),
      notFoundProbe,
      (exchange, probe) => robotsOf(base, url, exchange, probe),
      {
        concurrent: true
      }
    )
  }
}

/** What an exchange for robots.txt comes to. */
export const robotsOf = (base: Base, url: string, exchange: Exchange, probe: NotFoundProbe): Robots => {
  const file = robotsFileOf(exchange)
  return {
    url,
    exchange,
    state: stateOf(probe, exchange),
    file,
    namedAgents: AI_AGENTS.filter(({ token }) => names(file, token)),
    signals: file.groups.flatMap(({ signals }) => signals),
    shutsOutDocgauge: shutsOut(file, base.url)
  }
}

/** What robots.txt says; empty where there is none. */
export const robotsFileOf = (exchange: Exchange): RobotsFile =>
  parseRobots(isAnswer(exchange) && stateOf(null, exchange) === "read" ? textOf(exchange).text : "")

const shutsOut = (file: RobotsFile, url: string): boolean => names(file, OWN_NAME) && !allows(file, OWN_NAME, url)

/** Whether this answer to robots.txt lets docgauge fetch a URL: all but those that it forbids it by name. */
export const lets = (robots: Exchange): ((url: string) => boolean) => {
  const file = robotsFileOf(robots)
  return (url) => !shutsOut(file, url)
}

/** `probe`: `null` where its rules are needed before made-up URLs have answered. */
const stateOf = (probe: NotFoundProbe | null, exchange: Exchange): Robots["state"] =>
  isElsewhere(exchange) && !(probe?.places ?? []).some((place) => isElsewhere(place.exchange))
    ? "unobtainable"
    : STATES[fileVerdict(probe, exchange, "text")]

/**
 * Crawlers follow the redirects of a robots.txt to another site, too (RFC 9309 §2.3.1.2); we contact no other site. Where made-up URLs
 * lead to one as well, there is no file to follow to.
 */
const isElsewhere = (exchange: Exchange): boolean =>
  !isAnswer(exchange) && exchange.kind === "off_site" && exchange.redirects.length > 0

const STATES = {
  found: "read",
  html: "html",
  soft_404: "missing",
  missing: "missing",
  unobtainable: "unobtainable"
} as const

/** An agent that reads for a model, by the name that its operator gives it in robots.txt. */
export interface AiAgent {
  readonly token: string
  /** What it reads for: to train models, to fill a search index that models answer from, or because a person asked just now. */
  readonly kind: "training" | "search" | "user"
}

const agents = (kind: AiAgent["kind"], tokens: string): ReadonlyArray<AiAgent> =>
  tokens.split(" ").map((token) => ({ token, kind }))

/** Names that operators publish and that robots.txt files address. */
export const OPERATORS_AGENTS: ReadonlyArray<AiAgent> = [
  ...agents("training", "GPTBot"), // OpenAI
  ...agents("search", "OAI-SearchBot"), // OpenAI
  ...agents("user", "ChatGPT-User"), // OpenAI
  ...agents("training", "ClaudeBot anthropic-ai Claude-Web"), // Anthropic
  ...agents("search", "Claude-SearchBot"), // Anthropic
  ...agents("user", "Claude-User"), // Anthropic
  ...agents("training", "Google-Extended Google-CloudVertexBot"), // Google
  ...agents("user", "Google-NotebookLM"), // Google
  ...agents("search", "PerplexityBot"), // Perplexity
  ...agents("user", "Perplexity-User"), // Perplexity
  ...agents("training", "CCBot"), // Common Crawl
  ...agents("training", "Bytespider"), // ByteDance
  ...agents("training", "Amazonbot"), // Amazon
  ...agents("search", "Amzn-SearchBot"), // Amazon
  ...agents("user", "Amzn-User bedrockbot"), // Amazon
  ...agents("training", "Applebot-Extended"), // Apple
  ...agents("training", "meta-externalagent FacebookBot"), // Meta
  ...agents("search", "meta-webindexer"), // Meta
  ...agents("user", "meta-externalfetcher"), // Meta
  ...agents("user", "MistralAI-User"), // Mistral
  ...agents("user", "DuckAssistBot"), // DuckDuckGo
  ...agents("training", "cohere-training-data-crawler"), // Cohere
  ...agents("user", "cohere-ai"), // Cohere
  ...agents("search", "YouBot"), // You.com
  ...agents("training", "AI2Bot"), // Allen Institute for AI
  ...agents("training", "Diffbot"), // Diffbot
  ...agents("training", "PetalBot"), // Huawei
  ...agents("search", "Timpibot"), // Timpi
  ...agents("training", "omgili Webzio-Extended") // Webz.io
]

/** All agents that we know by name: what an operator says goes before what the public list says. */
export const AI_AGENTS: ReadonlyArray<AiAgent> = [
  ...OPERATORS_AGENTS,
  ...PUBLIC_AI_AGENTS.user.map((token) => ({ token, kind: "user" }) as const),
  ...PUBLIC_AI_AGENTS.search.map((token) => ({ token, kind: "search" }) as const),
  ...PUBLIC_AI_AGENTS.training.map((token) => ({ token, kind: "training" }) as const)
]

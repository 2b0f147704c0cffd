import * as Effect from "effect/Effect"
import type { Derivation, Using } from "../base/Derivation.ts"
import { below } from "../../evidence/Address.ts"
import { type Exchange, isAnswer } from "../../evidence/Exchange.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { fileVerdict } from "./FileVerdict.ts"
import { AI_AGENTS, type AiAgent } from "./AiAgent.ts"
import type { Base } from "../base/GatherContext.ts"
import type { NotFoundProbe } from "./NotFoundProbe.ts"
import { robotsSpender } from "./RobotsSpender.ts"
import { allows, names, parseRobots, type RobotsFile } from "./RobotsFile.ts"

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

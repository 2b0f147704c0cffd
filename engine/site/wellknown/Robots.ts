import * as Effect from "effect/Effect"
import type { Derivation } from "../base/Derivation.ts"
import { below } from "../../evidence/Address.ts"
import { type Exchange, isAnswer } from "../../evidence/Exchange.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { fileVerdict } from "./FileVerdict.ts"
import { AI_AGENTS, type AiAgent } from "./AiAgent.ts"
import type { Base } from "../base/GatherContext.ts"
import { robotsSpender } from "./RobotsSpender.ts"
import { allows, names, parseRobots, type RobotsFile } from "./RobotsFile.ts"

/** `R/robots.txt`: what came of asking for it, and what it says. */
export interface Robots {
  readonly url: string
  readonly exchange: Exchange
  /**
   * `read`: there is one (an empty file is one). `html`: a web page is served instead. `missing`: the site says that
   * there is none, if only in words. `unobtainable`: no usable response, so nothing is known.
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
export const robots: Derivation<Robots, object> = {
  ...robotsSpender,
  gather: ({ base, collector }): Effect.Effect<Robots> => {
    const url = below(base.origin, "robots.txt")
    return Effect.map(collector.get(url), (exchange) => robotsOf(base, url, exchange))
  }
}

/** What an exchange for robots.txt comes to. */
export const robotsOf = (base: Base, url: string, exchange: Exchange): Robots => {
  const file = robotsFileOf(exchange)
  return {
    url,
    exchange,
    state: stateOf(exchange),
    file,
    namedAgents: AI_AGENTS.filter(({ token }) => names(file, token)),
    signals: file.groups.flatMap(({ signals }) => signals),
    shutsOutDocgauge: shutsOut(file, base.url)
  }
}

/** What robots.txt says; empty where there is none. */
export const robotsFileOf = (exchange: Exchange): RobotsFile =>
  parseRobots(isAnswer(exchange) && stateOf(exchange) === "read" ? textOf(exchange).text : "")

const shutsOut = (file: RobotsFile, url: string): boolean => names(file, OWN_NAME) && !allows(file, OWN_NAME, url)

/** Does this answer to robots.txt forbid docgauge, by name, to fetch `url`? */
export const forbidsAudit = (robots: Exchange, url: string): boolean => shutsOut(robotsFileOf(robots), url)

/** Asked before the probe for missing pages. */
const stateOf = (exchange: Exchange): Robots["state"] => STATES[fileVerdict(null, exchange, "text")]

const STATES = {
  found: "read",
  html: "html",
  soft_404: "missing",
  missing: "missing",
  unobtainable: "unobtainable"
} as const

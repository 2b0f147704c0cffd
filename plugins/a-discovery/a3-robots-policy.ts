import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/plugin/Criterion.ts"
import { count, EITHER, flag } from "../../engine/plugin/Fact.ts"
import { counted, enumerated, pathShown } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { below } from "../../engine/evidence/Address.ts"
import { AI_AGENTS, type Robots } from "../../engine/site/wellknown/Robots.ts"
import { allows } from "../../engine/site/wellknown/RobotsFile.ts"

/** A3: robots.txt states what AI agents may do, and allows them to read the documentation. */
export const a3RobotsPolicy = define({
  id: "a3-robots-policy",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    valid: flag(
      "robots.txt at the origin returns 200, is not HTML and has at least one group, Sitemap or Content-Signal line"
    ),
    ai_agents_named: count("different AI agents that have their own group"),
    content_signals: count("Content-Signal lines"),
    sitemaps: count("Sitemap lines with an absolute http(s) URL"),
    base_open: flag("the audited URL is allowed for `*` and for every user-triggered AI agent"),
    llms_txt_open: flag("llms.txt is allowed for the same agents, at the URL where it was found, else at the origin")
  },
  measure: Effect.fn("a3-robots-policy")(function* (site) {
    const robots = yield* site.robots
    if (robots.state === "unobtainable") {
      return yield* new Unobtainable({ message: "We could not fetch robots.txt.", exchange: robots.exchange })
    }
    const valid = robots.state === "read" && (robots.file.groups.length > 0 || robots.file.sitemaps.length > 0)
    const { candidates, file, missing } = yield* site.llmsTxt
    const base = shutOut(robots, site.base.url)
    const llmsTxt = shutOut(robots, file?.url ?? below(site.base.origin, "llms.txt"))
    const facts = {
      valid,
      ai_agents_named: robots.namedAgents.length,
      content_signals: robots.signals.length,
      sitemaps: robots.file.sitemaps.filter((address) => /^https?:\/\//i.test(address) && URL.canParse(address)).length,
      base_open: valid && base.length === 0,
      llms_txt_open: valid && llmsTxt.length === 0
    }
    const summary = valid
      ? `robots.txt ${openness(base, llmsTxt)}. It names ${counted(facts.ai_agents_named, "AI agent")}, ` +
        `has ${counted(facts.content_signals, "Content-Signal line")} and has ${counted(facts.sitemaps, "Sitemap line with an absolute URL", "Sitemap lines with an absolute URL")}.`
      : ABSENCE[robots.state]
    const closed = (what: string, agents: ReadonlyArray<string>): ReadonlyArray<Finding> =>
      valid && agents.length > 0
        ? [{ good: false, message: `${what} is disallowed for ${agentsShown(agents)}.`, proof: robots.exchange }]
        : []
    const good = facts.base_open && facts.llms_txt_open
    // A missing candidate may be the llms.txt, and one of them may be disallowed where another is not.
    const openUrls = new Set(
      [file?.url, ...candidates.map(({ url }) => url)].map(
        (url) => url === undefined || shutOut(robots, url).length === 0
      )
    )
    return {
      facts,
      uncertain: missing.length > 0 && valid && openUrls.size > 1 ? { llms_txt_open: EITHER } : {},
      unanswered: missing,
      findings: [
        { good, message: summary, proof: robots.exchange },
        ...closed("The audited URL", base),
        ...closed(pathShown(file?.url ?? "/llms.txt"), llmsTxt)
      ]
    }
  })
})

const ABSENCE: Readonly<Record<Robots["state"], string>> = {
  read: "robots.txt has no group, Sitemap or Content-Signal line.",
  html: "/robots.txt returns an HTML page, not robots.txt.",
  missing: "There is no /robots.txt.",
  unobtainable: "We could not fetch robots.txt."
}

/** Of `*` and the user-triggered agents, those that may not fetch `url`. */
const shutOut = ({ file }: Robots, url: string): ReadonlyArray<string> =>
  ["*", ...AI_AGENTS.filter(({ kind }) => kind === "user").map(({ token }) => token)].filter(
    (agent) => !allows(file, agent, url)
  )

const openness = (base: ReadonlyArray<string>, llmsTxt: ReadonlyArray<string>): string => {
  if (base.length > 0) return `disallows the audited URL for ${agentsShown(base)}`
  return llmsTxt.length > 0
    ? `disallows llms.txt for ${agentsShown(llmsTxt)}`
    : "lets agents that act for a user read the documentation"
}

/** Agents to name; more are counted. */
const NAMED = 3

const agentsShown = (agents: ReadonlyArray<string>): string => {
  const names = agents.map((agent) => (agent === "*" ? "all agents without a group of their own" : agent))
  return enumerated(
    names.length <= NAMED + 1 ? names : [...names.slice(0, NAMED), counted(names.length - NAMED, "other")]
  )
}

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { count, flag } from "../../engine/criterion/Fact.ts"
import { counted } from "../../engine/criterion/Wording.ts"
import { below } from "../../engine/evidence/Address.ts"
import { AI_AGENTS } from "../../engine/site/AiAgent.ts"
import type { Robots } from "../../engine/site/Robots.ts"
import { allows } from "../../engine/site/RobotsFile.ts"

/** A3: robots.txt says what AI agents may do, and lets them in. */
export const a3RobotsPolicy = define({
  id: "a3-robots-policy",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    valid: flag("robots.txt at the origin answers 200, is not HTML and holds at least one group, Sitemap or Content-Signal line"),
    ai_agents_named: count("different AI agents with a group of their own"),
    content_signals: count("Content-Signal lines"),
    sitemaps: count("Sitemap lines with an absolute http(s) address"),
    base_open: flag("the base is open to everyone and to every AI agent that fetches on a user's word"),
    llms_txt_open: flag("so is llms.txt, at its address where it was found, else at the origin")
  },
  measure: Effect.fn("a3-robots-policy")(function*(site) {
    const robots = yield* site.robots
    if (robots.state === "unobtainable") {
      return yield* new Unobtainable({ message: "robots.txt could not be had.", exchange: robots.exchange })
    }
    const valid = robots.state === "read" && (robots.file.groups.length > 0 || robots.file.sitemaps.length > 0)
    const { file } = yield* site.llmsTxt
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
      ? `robots.txt ${openness(base, llmsTxt)}, names ${counted(facts.ai_agents_named, "AI agent")}, `
        + `has ${counted(facts.content_signals, "Content-Signal line")} and ${counted(facts.sitemaps, "absolute Sitemap line")}.`
      : ABSENCE[robots.state]
    const shut = [...new Set([...base, ...llmsTxt])]
    const closed: Finding = {
      good: false,
      message: `Shut out: ${shut.slice(0, 6).map((agent) => (agent === "*" ? "everyone without a group of its own" : agent)).join(", ")}${shut.length > 6 ? " and others" : ""}.`,
      proof: robots.exchange
    }
    const good = facts.base_open && facts.llms_txt_open
    return { facts, findings: [{ good, message: summary, proof: robots.exchange }, ...(valid && shut.length > 0 ? [closed] : [])] }
  })
})

const ABSENCE: Readonly<Record<Robots["state"], string>> = {
  read: "robots.txt holds no group, Sitemap or Content-Signal line.",
  html: "A web page stands in place of robots.txt.",
  missing: "There is no robots.txt at the origin.",
  unobtainable: "robots.txt could not be had."
}

/** `*` and the agents that fetch on a user's word: those of them that may not fetch `url`. */
const shutOut = ({ file }: Robots, url: string): ReadonlyArray<string> =>
  ["*", ...AI_AGENTS.filter(({ kind }) => kind === "user").map(({ token }) => token)]
    .filter((agent) => !allows(file, agent, url))

const openness = (base: ReadonlyArray<string>, llmsTxt: ReadonlyArray<string>): string => {
  if (base.length > 0) return "shuts the audited address to some or all agents"
  return llmsTxt.length > 0 ? "shuts llms.txt to some or all agents" : "is open"
}

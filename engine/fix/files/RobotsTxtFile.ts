import { textOf } from "../../evidence/BodyText.ts"
import { isAnswer } from "../../evidence/Exchange.ts"
import { AI_AGENTS, type AiAgent } from "../../site/wellknown/Robots.ts"
import { allows, parseRobots, type RobotsFile } from "../../site/wellknown/RobotsFile.ts"
import {
  type AiPolicy,
  leftToOwner,
  NOTHING,
  notWritten,
  onlyFile,
  together,
  whyNotCompleted,
  type Written
} from "../site/GeneratedFile.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"

interface RobotsWish {
  /** `null`: the owner has not decided, so nothing is said of AI agents. */
  readonly ai: AiPolicy | null
  /** The sitemap to name, if robots.txt names none. */
  readonly sitemap: string | null
}

/** Writes robots.txt, or adds to the one that is there. No rule of the owner's is removed or overruled. */
export const robotsTxtFile = ({ base, llmsTxt, robots }: PublishedSite, { ai, sitemap }: RobotsWish): Written => {
  if (robots.state === "unobtainable")
    return notWritten("a3-robots-policy", "robots.txt did not answer. Try again later.", [robots.url])
  const there = robots.state === "read" && isAnswer(robots.exchange) ? textOf(robots.exchange).text : null
  const file = robots.file
  const isOpen =
    there === null ||
    [base.url, ...(llmsTxt.file === null ? [] : [llmsTxt.file.url])].every((url) => allows(file, "*", url))
  const closed = isOpen
    ? NOTHING
    : notWritten(
        "a3-robots-policy",
        "robots.txt disallows the documentation or llms.txt. Remove that rule if agents may read them; we never remove a rule.",
        [robots.url]
      )
  const open =
    ai !== null || names(file) || file.groups.some(({ signals }) => signals.length > 0)
      ? NOTHING
      : leftToOwner(
          "a3-robots-policy",
          "--ai",
          "robots.txt says nothing about AI agents. Decide with --ai allow, --ai search-only or --ai deny.",
          [robots.url]
        )
  const policy = ai === null || !isOpen ? "" : policyBlock(file, ai)
  const named = file.sitemaps.some((address) => /^https?:\/\//i.test(address))
  const line = sitemap === null || named ? "" : `\nSitemap: ${sitemap}\n`
  // A new file without a policy for AI agents still says that everyone may read everything, as no file does.
  const everyone = there === null ? "User-agent: *\nAllow: /\n" : ""
  if (policy === "" && line === "") return together([closed, open])
  const refusal = robots.state === "read" && isAnswer(robots.exchange) ? whyNotCompleted(robots.exchange) : null
  if (refusal !== null)
    return together([notWritten("a3-robots-policy", `robots.txt ${refusal}`, [robots.url]), closed, open])
  const body = there === null || there.trim() === "" ? everyone : `${there.replace(/^\uFEFF/, "").trimEnd()}\n`
  const text = `${body}${policy}${line}`
  return keepsRules(file, parseRobots(text))
    ? together([
        onlyFile({ path: "robots.txt", url: robots.url, plugins: ["a3-robots-policy"], text, completes: there }),
        closed,
        open
      ])
    : notWritten(
        "a3-robots-policy",
        "robots.txt ends in a way that lines added to it would change its rules. Put a rule below its last User-agent line.",
        [robots.url]
      )
}

const names = (file: RobotsFile): boolean => unnamed(file).length < AI_AGENTS.length

const unnamed = (file: RobotsFile): ReadonlyArray<AiAgent> => {
  const named = new Set(file.groups.flatMap(({ agents }) => agents))
  return AI_AGENTS.filter(({ token }) => !named.has(token.toLowerCase()))
}

/** What each policy keeps out. */
const KEPT_OUT: Readonly<Record<AiPolicy, ReadonlyArray<AiAgent["kind"]>>> = {
  allow: [],
  "search-only": ["training"],
  deny: ["training", "search", "user"]
}

/**
 * Groups for the agents that no group names. An agent with a group of its own no longer follows the rules for everyone, so those that
 * may read get these rules again, and all get its other lines, such as Content-Signal and Crawl-delay.
 */
const policyBlock = (file: RobotsFile, ai: AiPolicy): string => {
  const agents = unnamed(file)
  const isOut = ({ kind }: AiAgent): boolean => KEPT_OUT[ai].includes(kind)
  const everyones = file.groups.filter(({ agents }) => agents.includes("*"))
  const rules = everyones.flatMap(({ rules }) => rules)
  const same = rules.map(({ kind, path }) => `${kind === "allow" ? "Allow" : "Disallow"}: ${path}\n`).join("")
  const beside = everyones
    .flatMap(({ others, signals }) => [
      ...signals.map((signal) => `Content-Signal: ${signal}\n`),
      ...others.map((line) => `${line}\n`)
    ])
    .join("")
  return `${group(
    "AI agents that may read this site",
    agents.filter((agent) => !isOut(agent)),
    `${same === "" ? "Allow: /\n" : same}${beside}`
  )}${group("AI agents that may not read this site", agents.filter(isOut), `Disallow: /\n${beside}`)}`
}

const group = (comment: string, agents: ReadonlyArray<AiAgent>, rules: string): string =>
  agents.length === 0 ? "" : `\n# ${comment}\n${agents.map(({ token }) => `User-agent: ${token}\n`).join("")}${rules}`

/** Whether all groups of the owner's are still there, as they were. */
const keepsRules = (before: RobotsFile, after: RobotsFile): boolean =>
  before.groups.every((group, index) => JSON.stringify(after.groups[index]) === JSON.stringify(group)) &&
  before.sitemaps.every((url) => after.sitemaps.includes(url))

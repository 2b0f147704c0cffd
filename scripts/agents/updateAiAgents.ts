/*
 * Writes engine/site/wellknown/PublicAiAgents.ts from the robots.json of github.com/ai-robots-txt/ai.robots.txt:
 *
 *   node scripts/agents/updateAiAgents.ts robots.json 2026-08-22
 *
 * The date is that of the list's last commit. What operators say themselves is in Robots.ts, and comes first.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type AiAgent, OPERATORS_AGENTS } from "../../engine/site/wellknown/Robots.ts"
import { productToken } from "../../engine/site/wellknown/RobotsFile.ts"
import { isJsonObject } from "../../engine/text/JsonText.ts"

/**
 * Names that the list has, and that say nothing of AI where a robots.txt has them: tools that anyone runs for any purpose,
 * crawlers for previews and marketing, ordinary search engines, and words too general to be a name.
 */
const OTHERS = new Set(
  "applebot awario bravebot code facebookexternalhit googleother googleother-image googleother-video imagespider lcc lightpanda openai operator scrapy semrushbot-ocob semrushbot-swa spider wpbot yak".split(
    " "
  )
)

/** The list says in its own words what an agent is for. Of an undocumented one nothing is known. */
const kindOf = (purpose: string): AiAgent["kind"] => {
  if (/undocumented/i.test(purpose)) return "training"
  if (/\bassistants?$|^AI (?:coding )?agents?$|\bprompts\b/i.test(purpose)) return "user"
  return /\bsearch\b/i.test(purpose) ? "search" : "training"
}

const [path = "", date = ""] = process.argv.slice(2)
if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw new Error("node scripts/agents/updateAiAgents.ts robots.json YYYY-MM-DD")
const list: unknown = JSON.parse(readFileSync(path, "utf8"))
if (!isJsonObject(list)) throw new Error(`${path} is not an object of agents by name`)

const known = new Set(OPERATORS_AGENTS.map(({ token }) => productToken(token)))
const tokens = new Map<AiAgent["kind"], Array<string>>([
  ["user", []],
  ["search", []],
  ["training", []]
])
for (const [name, entry] of Object.entries(list)) {
  const token = /^[\w.!-]+/.exec(name)?.[0] ?? ""
  // A name ends at its first blank (RFC 9309, section 2.2.1), and what remains of some is no name of their own.
  if (token === "" || /[\s.]/.test(name) || known.has(productToken(token)) || OTHERS.has(productToken(token))) continue
  known.add(productToken(token))
  const purpose = isJsonObject(entry) && typeof entry["function"] === "string" ? entry["function"] : ""
  tokens.get(kindOf(purpose))?.push(token)
}

const lines = [...tokens].map(([kind, names]) => {
  const sorted = names.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1))
  return `  ${kind}: [${sorted.map((name) => JSON.stringify(name)).join(", ")}]`
})
writeFileSync(
  join(import.meta.dirname, "..", "..", "engine", "site", "wellknown", "PublicAiAgents.ts"),
  `/** Further agents of the list ai-robots-txt/ai.robots.txt, as of ${date}. Written by scripts/agents/updateAiAgents.ts. */
export const PUBLIC_AI_AGENTS = {
${lines.join(",\n")}
} as const
`
)

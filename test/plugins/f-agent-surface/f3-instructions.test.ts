import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import type { FakeSite } from "../../../engine/testing/FakeSite.ts"
import { f3Instructions } from "../../../plugins/f-agent-surface/f3-instructions.ts"
import { manual, plain } from "../d-content/Manual.ts"

const INSTRUCTIONS = `# Orders\n\n${"Create an order with its lines in one call, and ask for its state afterwards. ".repeat(4)}\n`
const CONTRIBUTING = `# Working here\n\nPages are in pages/. Run npm install, then npm run build, before each pull request. ${"Keep pages short, and link to https://example.com once. ".repeat(4)}\n`
const INDEX = "/.well-known/agent-skills/index.json"
const SKILL = "/.well-known/agent-skills/orders/SKILL.md"
const SKILLS = { skills: [{ name: "orders", description: "How to place orders", url: SKILL }] }
const CARD = {
  name: "Orders agent",
  description: "Places orders",
  version: "1.0.0",
  url: "https://docs.example.com/a2a",
  protocolVersion: "0.3.0",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "order", name: "Order" }]
}
const CARD_PLACE = "/.well-known/agent-card.json"

const site = (others: FakeSite): FakeSite => manual(plain, others)

testCriterion(f3Instructions, {
  cases: [
    {
      name: "AGENTS.md",
      site: site({ "/AGENTS.md": INSTRUCTIONS }),
      earns: 1,
      facts: { documents: 1, valid: 1 },
      findings: [{ says: "/AGENTS.md is valid", proof: "/AGENTS.md", good: true }]
    },
    {
      name: "AGENTS.md for contributors alone",
      site: site({ "/AGENTS.md": CONTRIBUTING }),
      earns: "partial",
      facts: { documents: 1, valid: 0 },
      findings: [{ says: "/AGENTS.md exists, but it says how to work on its own source", good: false }]
    },
    ...[
      "Install it with:\n\npip install orders-client",
      "Calls go to https://api.example.com/v1/orders.",
      "All calls are described in [the description](/openapi.yaml)."
    ].map((use) => ({
      name: `AGENTS.md for contributors and users: ${use.slice(0, 20)}`,
      site: site({ "/AGENTS.md": `${CONTRIBUTING}\n## Use\n\n${use}\n` }),
      earns: 1 as const,
      facts: { valid: 1 }
    })),
    {
      name: "a skill below the audited address",
      url: "/docs",
      site: { ...site({ "/docs/skill.md": INSTRUCTIONS }), "/docs/": "<h1>Docs</h1>" },
      earns: 1
    },
    {
      name: "an index of skills with their files",
      site: site({ [INDEX]: JSON.stringify(SKILLS), [SKILL]: INSTRUCTIONS }),
      earns: 1,
      facts: { documents: 1, valid: 1 }
    },
    {
      name: "an index whose file is not there",
      site: site({ [INDEX]: JSON.stringify(SKILLS) }),
      earns: "partial",
      facts: { documents: 1, valid: 0 },
      findings: [{ says: "orders/SKILL.md returns 404", proof: INDEX, good: false }]
    },
    {
      name: "an index whose skills have no address",
      site: site({ [INDEX]: JSON.stringify({ skills: [{ name: "orders", description: "How to place orders" }] }) }),
      earns: "partial",
      findings: [{ says: "its only skill lacks a name, a description or a URL" }]
    },
    {
      name: "an index of another form",
      site: site({ [INDEX]: "[]" }),
      earns: "partial",
      findings: [{ says: "not a JSON object with a list of skills", good: false }]
    },
    { name: "an agent card", site: site({ [CARD_PLACE]: JSON.stringify(CARD) }), earns: 1 },
    {
      name: "an agent card of version 1.0",
      site: site({
        [CARD_PLACE]: JSON.stringify({
          ...CARD,
          url: undefined,
          protocolVersion: undefined,
          supportedInterfaces: [
            { url: "https://docs.example.com/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" }
          ]
        })
      }),
      earns: 1
    },
    {
      name: "an agent card without skills or capabilities",
      site: site({ [CARD_PLACE]: JSON.stringify({ ...CARD, skills: [], capabilities: undefined }) }),
      earns: "partial",
      findings: [{ says: "it lacks capabilities, skills", good: false }]
    },
    {
      name: "instructions of a sentence",
      site: site({ "/AGENTS.md": "# Agents\n\nBe nice.\n" }),
      earns: "partial",
      findings: [{ says: "it has only 18 characters", good: false }]
    },
    {
      name: "instructions without a heading",
      site: site({ "/skill.md": INSTRUCTIONS.replace("# ", "") }),
      earns: "partial",
      findings: [{ says: "it has no heading" }]
    },
    {
      name: "instructions whose heading would be behind what is read",
      site: site({ "/AGENTS.md": `${"Create an order in one call.\n".repeat(20_000)}\n# Orders\n` }),
      earns: "inconclusive",
      findings: [{ says: "what we read of it has no heading", proof: "/AGENTS.md" }]
    },
    {
      name: "a skill whose file is refused at length",
      site: site({ [INDEX]: JSON.stringify(SKILLS), [SKILL]: { status: 429, body: "Slow down. ".repeat(60_000) } }),
      earns: "inconclusive",
      findings: [{ says: "is valid" }]
    },
    {
      name: "one of two will do",
      site: site({ "/AGENTS.md": "# Agents\n\nBe nice.\n", "/skill.md": INSTRUCTIONS }),
      earns: 1,
      facts: { documents: 2, valid: 1 }
    },
    {
      name: "web pages in their place",
      site: site({
        "/AGENTS.md": "<!doctype html><title>Agents</title><h1>Agents</h1>",
        [CARD_PLACE]: "<!doctype html><title>App</title>"
      }),
      earns: 0,
      facts: { documents: 0 }
    },
    {
      name: "an error text in their place",
      site: { ...site({}), "*": { type: "text/markdown", body: "# 404\n\nSorry, this page could not be found.\n" } },
      earns: 0
    },
    {
      name: "nothing",
      site: site({}),
      earns: 0,
      findings: [{ says: "There is no /.well-known/agent-skills/index.json, /AGENTS.md, ", good: false }]
    },
    { name: "URLs that do not answer", site: { "*": { status: 503 } }, earns: "inconclusive" }
  ]
})

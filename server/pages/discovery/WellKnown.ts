import type { Addresses } from "../../config/Settings.ts"
import { SERVER_CARD_TYPE, serverCardUrl } from "../../mcp/transport/ServerCard.ts"

/** The API catalog of RFC 9727, a linkset of RFC 9264: our APIs and their descriptions. */
export const apiCatalog = ({ base, docs, mcp }: Addresses) => ({
  linkset: [
    {
      anchor: base,
      "service-desc": [
        { href: `${base}/openapi.json`, type: "application/vnd.oai.openapi+json" },
        { href: `${base}/openapi.yaml`, type: "application/vnd.oai.openapi" }
      ],
      "service-doc": [{ href: docs, type: "text/html" }],
      status: [{ href: `${base}/healthz`, type: "application/json" }]
    },
    {
      anchor: mcp,
      "service-meta": [{ href: serverCardUrl(mcp), type: SERVER_CARD_TYPE }],
      "service-doc": [{ href: `${docs}/v1/mcp-server`, type: "text/html" }]
    }
  ]
})

/** The URL of the skill. */
export const SKILL_PATH = "/.well-known/agent-skills/audit-documentation/SKILL.md"

/** The index of skills for agents. */
export const agentSkills = ({ base }: Addresses) => ({
  skills: [
    {
      name: "audit-documentation",
      description:
        "Audit an API documentation site for AI readiness with docgauge, read the report, and fix the biggest losses. Use when someone asks how findable, readable or agent-friendly a documentation site is.",
      url: `${base}${SKILL_PATH}`
    }
  ]
})

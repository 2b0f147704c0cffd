import type { HostileSites } from "../HostileSite.ts"
import { addressSites } from "./addresses.ts"
import { contentSites } from "./content.ts"
import { descriptionSites } from "./descriptions.ts"
import { htmlSites } from "./html.ts"
import { indexSites } from "./indexes.ts"
import { markdownSites } from "./markdown.ts"
import { transportSites } from "./transport.ts"

/** The hostile corpus, a table for each family of sites. */
export const families = {
  addresses: addressSites,
  html: htmlSites,
  markdown: markdownSites,
  indexes: indexSites,
  descriptions: descriptionSites,
  content: contentSites,
  transport: transportSites
} as const satisfies Readonly<Record<string, HostileSites>>

export const hostileSites: HostileSites = Object.assign({}, ...Object.values(families))

/** The sites that CI audits: of each way to attack the most demanding one. `npm run test:endurance` audits all of them. */
const WORST: ReadonlySet<string> = new Set([
  "slashes-in-link",
  "trailing-dots",
  "many-endpoints",
  "deep-tags",
  "unterminated-tag",
  "structured-data",
  "markdown-images",
  "sitemap-bomb",
  "sitemap-indexes",
  "json-deep",
  "openapi-many",
  "yaml-aliases",
  "marks",
  "full-text",
  "gzip-bomb",
  "zstd-window",
  "header-flood",
  "interim",
  "chunks",
  "two-answers",
  "drips-slowly",
  "stalls-behind",
  "hangs",
  "resets",
  "redirect-circle"
])

/** The same families with these sites alone. */
export const worstFamilies: Readonly<Record<string, HostileSites>> = Object.fromEntries(
  Object.entries(families).map(([family, sites]) => [
    family,
    Object.fromEntries(Object.entries<HostileSites[string]>(sites).filter(([name]) => WORST.has(name)))
  ])
)

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

export type Family = keyof typeof families

export const hostileSites: HostileSites = Object.assign({}, ...Object.values(families))

import type { GoldenSite } from "./AuditFakeSite.ts"
import { CLIENT_RENDERED_URL, clientRenderedSite } from "./client-rendered/Site.ts"
import { HOST } from "./excellent/Layout.ts"
import { excellentSite } from "./excellent/Site.ts"
import { GERMAN_URL, germanSite } from "./german/Site.ts"
import { JAPANESE_URL, japaneseSite } from "./japanese/Site.ts"
import { RUSSIAN_URL, russianSite } from "./russian/Site.ts"
import { HOSTILE_URL, hostileSite } from "./hostile/Site.ts"
import { POOR_URL, poorSite } from "./poor/Site.ts"
import { TYPICAL_URL, typicalSite } from "./typical/Site.ts"

export const EXCELLENT_URL = `${HOST}/v2`

/** The golden sites, the best first. */
export const goldenSites: ReadonlyArray<GoldenSite> = [
  { name: "excellent", url: EXCELLENT_URL, site: excellentSite() },
  { name: "typical", url: TYPICAL_URL, site: typicalSite() },
  { name: "poor", url: POOR_URL, site: poorSite() },
  { name: "client-rendered", url: CLIENT_RENDERED_URL, site: clientRenderedSite() },
  { name: "german", url: GERMAN_URL, site: germanSite() },
  { name: "japanese", url: JAPANESE_URL, site: japaneseSite() },
  { name: "russian", url: RUSSIAN_URL, site: russianSite() },
  { name: "hostile", url: HOSTILE_URL, site: hostileSite() }
]

import { join } from "node:path"
import type { FakeSite } from "../../../engine/testing/FakeSite.ts"
import { type MarkdownPage, readPages } from "../MarkdownPage.ts"
import { buildTranslated, type TranslatedSite } from "../TranslatedSite.ts"

const SITE: TranslatedSite = {
  host: "https://docs.faehrwerk-api.de",
  root: "/doku",
  lang: "de",
  product: "Fährwerk",
  notFound: ["Seite nicht gefunden", "Diese Adresse führt nirgendwohin."]
}

export const GERMAN_URL = SITE.host + SITE.root

export const germanPages = (): ReadonlyArray<MarkdownPage> => readPages(join(import.meta.dirname, "pages"))

export const germanSite = (pages: ReadonlyArray<MarkdownPage> = germanPages()): FakeSite => buildTranslated(SITE, pages)

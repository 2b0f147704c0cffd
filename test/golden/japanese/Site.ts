import { join } from "node:path"
import type { FakeSite } from "../../../engine/testing/FakeSite.ts"
import { type MarkdownPage, readPages } from "../MarkdownPage.ts"
import { buildTranslated, type TranslatedSite } from "../TranslatedSite.ts"

const SITE: TranslatedSite = {
  host: "https://docs.tanaban-api.jp",
  root: "/bunsho",
  lang: "ja",
  product: "たなばん",
  notFound: ["ページが見つかりません", "この住所には何もありません。"]
}

export const JAPANESE_URL = SITE.host + SITE.root

export const japanesePages = (): ReadonlyArray<MarkdownPage> => readPages(join(import.meta.dirname, "pages"))

export const japaneseSite = (pages: ReadonlyArray<MarkdownPage> = japanesePages()): FakeSite =>
  buildTranslated(SITE, pages)

import { join } from "node:path"
import type { FakeSite } from "../../../engine/testing/FakeSite.ts"
import { type MarkdownPage, readPages } from "../MarkdownPage.ts"
import { buildTranslated, type TranslatedSite } from "../TranslatedSite.ts"

const SITE: TranslatedSite = {
  host: "https://docs.teplitsa-api.ru",
  root: "/docs",
  lang: "ru",
  product: "Теплица",
  notFound: ["Страница не найдена", "По этому адресу ничего нет."]
}

export const RUSSIAN_URL = SITE.host + SITE.root

export const russianPages = (): ReadonlyArray<MarkdownPage> => readPages(join(import.meta.dirname, "pages"))

export const russianSite = (pages: ReadonlyArray<MarkdownPage> = russianPages()): FakeSite =>
  buildTranslated(SITE, pages)

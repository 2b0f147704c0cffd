import { pageKey } from "../../evidence/Address.ts"
import type { Page } from "../../page/Page.ts"
import { readingLength } from "../../text/languages/Words.ts"
import type { HeadSnippet } from "../files/HeadSnippet.ts"
import { NOTHING, notWritten, together, type Written } from "../site/GeneratedFile.ts"
import { LEAST_DESCRIPTION } from "../site/SitePages.ts"
import type { Gap } from "./Wish.ts"

/** Elements of heads that only the owner can change. */
export const metadataLeft = (gap: Gap, pages: ReadonlyArray<Page>, heads: ReadonlyArray<HeadSnippet>): Written => {
  if (!gap("b4-metadata")) return NOTHING
  const html = pages.filter(({ format }) => format === "html")
  const has = (url: string, text: string): boolean => heads.some((head) => head.url === url && head.text.includes(text))
  const urls = (of: ReadonlyArray<Page>): ReadonlyArray<string> => of.map(({ url }) => url)
  const undescribed = html.filter(({ description, url }) => description === "" && !has(url, 'name="description"'))
  const untitled = html.filter(({ title, url }) => title === "" && !has(url, "<title>"))
  const unspoken = html.filter(({ lang }) => lang.trim() === "")
  const short = html.filter(({ description }) => description !== "" && readingLength(description) < LEAST_DESCRIPTION)
  const shared = html.filter(
    ({ description }) =>
      description !== "" &&
      html.filter((other) => other.description === description).length * 2 > html.length &&
      html.length > 2
  )
  const astray = html.filter(({ canonical, url }) => canonical !== null && pageKey(canonical) !== pageKey(url))
  const notes = [
    [unspoken, "Set `lang` on `<html>`: the page does not say which language it is in."],
    [untitled, "Write a title: the page has none, or an empty `<title>`."],
    [undescribed, "Write a description: the page has no sentence that could be one."],
    [short, `Write a longer description: it has fewer than ${LEAST_DESCRIPTION} characters.`],
    [shared, "Write a description for each page: these have the template's."],
    [astray, "Correct the canonical URL: it names another page."]
  ] as const
  return together(
    notes.map(([of, reason]) => (of.length === 0 ? NOTHING : notWritten("b4-metadata", reason, urls(of))))
  )
}

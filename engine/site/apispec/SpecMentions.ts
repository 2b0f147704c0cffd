import type { Exchange } from "../../evidence/Exchange.ts"
import { textOf } from "../../evidence/BodyText.ts"
import type { SpecSource } from "../../apispec/ApiSpec.ts"
import type { GatherContext } from "../base/GatherContext.ts"
import type { LlmsTxt } from "../wellknown/LlmsTxt.ts"
import type { Page } from "../../page/Page.ts"
import { onSite } from "../../evidence/Address.ts"

/** A URL that is said to be an API description's, and where that was said. */
export interface SpecMention {
  readonly url: string
  readonly source: SpecSource
  readonly by: Exchange
}

/** Some generators serve a Markdown version of every file, JSON too: `openapi.json.md`. */
const DESCRIPTION_FILE = /\.(?:json|ya?ml|graphqls?|gql)(?:\.(?:md|txt))?$/i

/** In a file's name, its folder or a link's text: what makes a JSON or YAML file an API description. */
const DESCRIPTION_WORD =
  /open[-_ ]?api|swagger|async[-_ ]?api|open[-_ ]?rpc|postman[-_ .]?collection|\boas[23]?\b|\bapi[-_. ]?(?:docs?|spec(?:ification)?|description|definition|schema)\b|\bgraphql[-_ ]?schema\b|\bschema\.(?:graphqls?|gql)$/i

/** Collections of other people's descriptions, and the samples that every tool's manual links to. */
const FOREIGN =
  /(?:^|\.)(?:apis\.guru|petstore\d?\.swagger\.io|redocly\.github\.io|json\.schemastore\.org|schemastore\.org|spec\.openapis\.org)$/i

/** Media types that are registered for descriptions, and what they are served as before that. */
const DESCRIPTION_TYPE = /^application\/(?:vnd\.oai\.openapi|openapi|vnd\.aai\.asyncapi|swagger)(?:[+;.]|$)/i

/** What every such URL contains; few others do. */
const MAY_LEAD_THERE = /\.(?:json|ya?ml|graphqls?|gql)|\/api-docs/i

/** Whether a link leads to a description, by its file's name or, where that is of a fitting kind, by the link's text. */
const leadsToDescription = (url: string, text: string): boolean => {
  if (!MAY_LEAD_THERE.test(url)) return false
  const parsed = URL.parse(url)
  if (parsed === null || FOREIGN.test(parsed.hostname)) return false
  const path = parsed.pathname.toLowerCase()
  if (/\.(?:graphqls|gql)$/.test(path) || /\/v[23]\/api-docs$/.test(path)) return true
  const names = path.split("/").slice(-3).join("/")
  return DESCRIPTION_FILE.test(path) && (DESCRIPTION_WORD.test(names) || DESCRIPTION_WORD.test(text))
}

/** In the order of the pages and of their content: `Link` headers and `<link>`s, links, viewers. */
export const pageMentions = (pages: ReadonlyArray<Page>, site: string): ReadonlyArray<SpecMention> =>
  pages.flatMap((page) => [...announcedBy(page), ...linkedFrom(page, site), ...viewedIn(page)])

const announcedBy = (page: Page): ReadonlyArray<SpecMention> =>
  page.announcements
    .filter(({ rel, type }) => rel.includes("service-desc") || DESCRIPTION_TYPE.test(type))
    .map(({ url, from }) => ({ url, source: from === "header" ? "header" : "link", by: page.answer }))

/**
 * Off the site, only what explicitly calls itself a description: a manual links to many a JSON file of other
 * people's.
 */
const linkedFrom = (page: Page, site: string): ReadonlyArray<SpecMention> =>
  page.links
    .filter(({ url, text }) => leadsToDescription(url, text) && (onSite(url, site) || DESCRIPTION_WORD.test(text)))
    .map(({ url }) => ({ url, source: "link", by: page.answer }))

const viewedIn = (page: Page): ReadonlyArray<SpecMention> =>
  page.viewers.flatMap(({ url }) => (url === null ? [] : [{ url, source: "viewer" as const, by: page.answer }]))

/** Links of llms.txt and of the files that it links to, and bare URLs in their text. */
export const llmsMentions = (context: GatherContext, llmsTxt: LlmsTxt): ReadonlyArray<SpecMention> =>
  [...(llmsTxt.file === null ? [] : [llmsTxt.file]), ...llmsTxt.nested].flatMap((file) => {
    const links = file.links.flatMap(({ url, text, description }) =>
      url !== null && leadsToDescription(url, `${text} ${description}`) ? [url] : []
    )
    const bare = bareAddresses(textOf(file.answer).text).flatMap((href) => {
      const url = context.resolve(href, file.url)
      return url !== null && leadsToDescription(url, "") ? [url] : []
    })
    return [...links, ...bare].map((url): SpecMention => ({ url, source: "llms.txt", by: file.answer }))
  })

const TEXT_LIMIT = 500_000

const bareAddresses = (text: string): ReadonlyArray<string> =>
  text
    .slice(0, TEXT_LIMIT)
    .match(/https?:\/\/[^\s<>()[\]"'`|]{1,500}\.(?:json|ya?ml|graphqls?|gql)(?:\.(?:md|txt))?\b/gi) ?? []

import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ENGINE_VERSION } from "../../../engine/audit/Version.ts"
import { userAgents } from "../../../engine/evidence/UserAgents.ts"
import { limitSettings } from "../../../engine/limit/LimitSettings.ts"
import { contractDocument } from "../../api/Contract.ts"
import { type Addresses, addresses, agentAddress, contact, gatherSeconds } from "../../config/Settings.ts"
import { docsFile } from "../../files/PackageFiles.ts"
import { tokenLife } from "../../oauth/OAuthSettings.ts"
import { CONTENTS, DOCS_VERSION } from "./Contents.ts"
import type { DocFacts } from "./DocFacts.ts"
import { type DocHtml, docHtml } from "./DocHtml.ts"
import { type DocSource, docText, filledIn, markdownUrl, pageUrl, readDocSource } from "./DocText.ts"

/** A page of the documentation. Its HTML and Markdown are rendered on each call; responses are cached. */
export interface Doc extends DocSource {
  /** The canonical URL. */
  readonly url: string
  readonly markdownUrl: string
  /** The page as Markdown, as in llms-full.txt. */
  readonly plainMarkdown: () => string
  /** The Markdown version: the same below its front matter. */
  readonly markdown: () => string
  /** The page as HTML, below the title. */
  readonly html: () => DocHtml
}

/** A section of the navigation with its pages. */
interface DocsSection {
  readonly title: string
  readonly docs: ReadonlyArray<Doc>
}

/** The whole documentation, in reading order. */
export interface DocsBook {
  /** The URL of the service. */
  readonly base: string
  readonly sections: ReadonlyArray<DocsSection>
  readonly docs: ReadonlyArray<Doc>
  /** The URL of the page that searches all of it. */
  /** About our crawler, at `/bot`, outside the versions. */
  readonly bot: Doc
}

const makeDocsBook = (facts: DocFacts): DocsBook => {
  const { base, docs: docsUrl } = facts.addresses
  const read = (slug: string, path: string, url: string, markdownUrl: string): Doc => {
    const source = readDocSource(slug, docsFile(path))
    const description = filledIn(source.description, facts)
    const written = () => docText(source, facts)
    const plainMarkdown = () => `${written()}\nLast changed on ${dayText(source.updated)}.\n`
    return {
      ...source,
      description,
      url,
      markdownUrl,
      plainMarkdown,
      markdown: () =>
        `${frontMatter({ title: source.title, description, canonical_url: url, last_updated: source.updated })}\n${plainMarkdown()}`,
      html: () => docHtml(written(), source.title, (href) => asPage(href, facts))
    }
  }
  const sections = CONTENTS.map(({ slugs, title }) => ({
    title,
    docs: slugs.map((slug) =>
      read(slug, `${DOCS_VERSION}/${slug}.md`, pageUrl(docsUrl, slug), markdownUrl(docsUrl, slug))
    )
  }))
  return {
    base,
    sections,
    docs: sections.flatMap(({ docs }) => docs),
    bot: read("bot", "bot.md", botUrl(base), `${botUrl(base)}.md`)
  }
}

/** Strings of JSON are strings of YAML. */
const frontMatter = (fields: Readonly<Record<string, string>>): string =>
  ["---", ...Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`), "---", ""].join("\n")

/** The URL of the page about our crawler. */
export const botUrl = (baseUrl: string): string => `${baseUrl}/bot`

/** In HTML, links to Markdown versions point to the pages, and links within the service have no host. */
const asPage = (href: string, { addresses: { base, docs } }: DocFacts): string => {
  const root = `${docs}/${DOCS_VERSION}/`
  const page = href.startsWith(root)
    ? `${pageUrl(docs, "index")}/${href.slice(root.length).replace(/\.md(?=#|$)/, "")}`.replace(/\/index(?=#|$)/, "")
    : href
  const { origin } = new URL(base)
  return page.startsWith(`${origin}/`) ? page.slice(origin.length) : page
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December"
] as const

/** `2026-11-21` as `21 November 2026`. */
export const dayText = (day: string): string => {
  const [year = "", month = "", date = ""] = day.split("-")
  return `${Number(date)} ${MONTHS[Number(month) - 1] ?? ""} ${year}`
}

/** The documentation of this service, loaded on first use so that the start does not wait for it. */
export class DocsPages extends Context.Service<
  DocsPages,
  {
    readonly addresses: Addresses
    readonly facts: Effect.Effect<DocFacts>
    readonly book: Effect.Effect<DocsBook>
  }
>()("docgauge/server/pages/DocsPages") {
  static readonly layer: Layer.Layer<DocsPages, Config.ConfigError> = Layer.effect(
    DocsPages,
    Effect.gen(function* () {
      const places = yield* addresses
      const settings = {
        addresses: places,
        limits: yield* limitSettings,
        gatherSeconds: yield* gatherSeconds,
        tokenMs: yield* tokenLife,
        userAgents: userAgents(ENGINE_VERSION, yield* agentAddress),
        contact: yield* contact,
        version: ENGINE_VERSION
      }
      const facts = yield* Effect.cached(
        Effect.sync((): DocFacts => ({ ...settings, contract: contractDocument({ baseUrl: places.base }) }))
      )
      return { addresses: places, facts, book: yield* Effect.cached(Effect.map(facts, makeDocsBook)) }
    })
  )
}

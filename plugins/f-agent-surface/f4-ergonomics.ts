import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/plugin/Criterion.ts"
import { eitherUnless, flag } from "../../engine/plugin/Fact.ts"
import { withSampledPages } from "../../engine/plugin/SampledPages.ts"
import { grouped, itemised, pathShown } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { imagesRun, installLines, installLinesInText } from "../../engine/page/code/InstallLine.ts"
import type { Page } from "../../engine/page/Page.ts"
import { isAsideAddress } from "../../engine/site/address/PageUrl.ts"
import { isNamedAfter, productNamesOf, titleParts } from "../../engine/site/topics/ProductName.ts"
import { withoutPageEnding } from "../../engine/text/UrlPath.ts"

/** F4: a page is easy to hand to an assistant, and the product easy to install. */
export const f4Ergonomics = define({
  id: "f4-ergonomics",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    install_line: flag("a page has a line that installs the product's own client library, command line or program"),
    page_actions: flag("sampled pages offer copy-as-Markdown, view-as-Markdown or open-in-assistant"),
    agents_page: flag("a page is written for agents or assistants")
  },
  measure: Effect.fn("f4-ergonomics")(function* (site) {
    const [{ first, missing, pages }, topics] = yield* withSampledPages(site, site.topicSearch)
    const names = yield* productNamesOf(site)
    const all = [...pages, ...topics.pages]
    const unread = [...missing, ...topics.missing]
    const installing = all.find((page) => installedPackages(page).some((name) => isNamedAfter(names, name)))
    const acting = pages.find(offersPage)
    const addressed = all.find((page) => page.url !== site.base.url && isForAgents(page))
    const finding = (page: Page | undefined, seen: string, unseen: string): Finding => ({
      good: page !== undefined,
      message: page === undefined ? unseen : `${pathShown(page.url)} ${seen}.`,
      proof: page?.answer ?? first
    })
    const found = [
      finding(installing, "shows how to install the product", "No page that we read shows how to install the product."),
      finding(
        acting,
        "has a button to copy or view it as Markdown, or to open it in an assistant",
        "No sampled page has a button to copy or view it as Markdown, or to open it in an assistant."
      ),
      finding(addressed, "is about using the product with agents or assistants", noneAddressed(all.length))
    ]
    const missed = NAMES.filter((_, index) => found[index]?.good === false)
    const summary: Finding = {
      good: found.every(({ good }) => good),
      message: missed.length === 0 ? `Found: ${itemised(NAMES)}.` : `Missing: ${itemised(missed)}.`,
      proof: first
    }
    return {
      facts: {
        install_line: installing !== undefined,
        page_actions: acting !== undefined,
        agents_page: addressed !== undefined
      },
      uncertain:
        unread.length === 0
          ? {}
          : {
              install_line: eitherUnless(installing !== undefined),
              page_actions: eitherUnless(acting !== undefined || missing.length === 0),
              agents_page: eitherUnless(addressed !== undefined)
            },
      unanswered: unread,
      findings: [summary, ...found.filter(({ good }) => !good), ...found.filter(({ good }) => good)] as const
    }
  })
})

const noneAddressed = (pages: number): string =>
  pages < 2
    ? "No title or URL of another page than the audited one speaks of agents or assistants."
    : `Apart from the audited page, none of the ${grouped(pages)} pages we read has a title or URL that speaks of agents or assistants.`

/** What we look for, in the order of the findings. */
const NAMES = [
  "a command that installs the product",
  "a button to copy or view the page as Markdown, or to open it in an assistant",
  "a page about using the product with AI agents or assistants"
]

/** Packages in install lines, in code blocks or in the text. */
const installedPackages = (page: Page): ReadonlyArray<string> => {
  const code = page.codeBlocks.map(({ text }) => text)
  return [
    ...[...code.flatMap(installLines), ...page.main.segments.flatMap(installLinesInText)].map((line) => line.package),
    ...[...code, ...page.main.segments].flatMap(imagesRun)
  ]
}

const offersPage = ({ controls }: Page): boolean =>
  controls.copyMarkdown || controls.assistants.length > 0 || controls.viewMarkdown.length > 0

/**
 * Titles that address agents, or people who work with them. The start page is left out: its title says what the product is
 * for, which may be agents.
 */
const FOR_AGENTS =
  /\bprompts?\b.{0,20}\b(?:agents?|assistants?)\b|\b(?:agent|assistant) prompts?\b|\b(?:for|with|using|use|via) (?:(?:an?|your) ){0,2}(?:(?:ai|coding|llm) ){0,3}(?:llms?|copilots?|chatgpt|claude|(?<=\b(?:ai|coding|llm) )(?:agents?|assistants?))\b|\b(?:ai|llm|coding) (?:agents?|assistants?) (?:guide|instructions|quickstart|setup)\b|^(?:agents\.md|llms\.txt|agent skills)$/i

/** The editor; `cursor` also pages through lists. */
const FOR_CURSOR =
  /\b(?:[Ff]or|[Ww]ith|[Uu]sing|[Uu]se|[Vv]ia) (?:(?:AI|ai) )?Cursor\b(?!-| (?:[Bb]ased|[Pp]agina|[Pp]aging|[Pp]aramet|[Oo]bject|[Tt]oken))/
const PAGING = /\bpagina|\bpaging|\bresults?\b|\blists?\b|\bscroll/i

/** Agents and assistants may also be people who answer calls, or a feature of the product. */
const FOR_ANY_AGENTS = /\b(?:for|with|using|use|via) (?:(?:an?|your) ){0,2}(?:agents?|assistants?)\b/i
/** What a page says of agents that are programs. */
const SPEAKS_OF_MODELS =
  /\bllms\.txt\b|\bMCP\b|\bLLMs?\b|\bClaude\b|\bChatGPT\b|\bCopilot\b|\b[Cc]oding (?:agents?|assistants?)\b/

/** Assistants may also be what the product runs on: a page that sets one up to use the product names what it is given. */
const SETS_UP_ASSISTANT =
  /\b(?:chatgpt|claude|copilot)\b.{0,40}\b(?:guide|instructions|quickstart|set-?up)\b|\bskills?\b/i
const GIVEN_TO_ASSISTANT = /\bMCP\b|\bSKILL\.md\b/

/** Prompts may also be a feature of the product: they count if readers give them to a model, which writes code with them. */
const PROMPTS = /\bprompts?\b/i
const GIVEN_TO_MODEL =
  /\bprompts?\b[^.\n]{0,60}\b(?:in|into|to|with) (?:an?|any|the|your) (?:[\w-]{1,20} ){0,3}(?:agent|assistant|chatgpt|claude|copilot|cursor|(?:language )?model|llm)\b/i
const WRITES_CODE =
  /\b(?:builds?|creates?|generates?|writes?)\b[^.\n]{0,40}\b(?:apps?|applications?|calls?|clients?|code|integrations?|programs?|scripts?)\b/i

const AGENT_SEGMENTS =
  /^(?:for-(?:ai|agents?|llms?)|ai-agents?|ai-assistants?|ai-tools|llms|build-with-(?:ai|llms?)|(?:use|using)-with-(?:ai|llms?|agents?)|agents?-guide|agent-skills)$/i

/** News about agents is not written for agents. */
const isForAgents = (page: Page): boolean => {
  if (page.saysNotFound || isAsideAddress(page.url)) return false
  const titles = [
    ...titleParts(page.title),
    ...page.headings.flatMap(({ inMain, level, text }) => (inMain && level === 1 ? [text] : []))
  ]
  const speaksOfModels = (): boolean => SPEAKS_OF_MODELS.test(page.main.text)
  const isAddressed = (title: string): boolean =>
    FOR_AGENTS.test(title) ||
    (FOR_CURSOR.test(title) && !PAGING.test(title)) ||
    (FOR_ANY_AGENTS.test(title) && speaksOfModels()) ||
    (SETS_UP_ASSISTANT.test(title) && GIVEN_TO_ASSISTANT.test(page.main.text)) ||
    (PROMPTS.test(title) && GIVEN_TO_MODEL.test(page.main.text) && WRITES_CODE.test(page.main.text))
  return (
    titles.some(isAddressed) ||
    new URL(page.url).pathname.split("/").some((segment) => AGENT_SEGMENTS.test(withoutPageEnding(segment)))
  )
}

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/criterion/Criterion.ts"
import { flag } from "../../engine/criterion/Fact.ts"
import { withSampledPages } from "../../engine/criterion/SampledPages.ts"
import { pathShown } from "../../engine/criterion/Wording.ts"
import { installLines } from "../../engine/site/InstallLine.ts"
import type { Page } from "../../engine/site/Page.ts"
import { isAsideAddress } from "../../engine/site/PageAddress.ts"
import { isNamedAfter, productNamesOf } from "../../engine/site/ProductName.ts"
import { titleParts } from "../../engine/site/SiteTitle.ts"

/** F4: is it easy to hand a page to an assistant, and to install what the page is about? */
export const f4Ergonomics = define({
  id: "f4-ergonomics",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    install_line: flag("a line that installs the product's own client library, command line or program"),
    page_actions: flag("copy-as-Markdown, view-as-Markdown or open-in-assistant on pages of the sample"),
    agents_page: flag("a page that is addressed to agents or assistants")
  },
  measure: Effect.fn("f4-ergonomics")(function*(site) {
    const [{ first, pages }, subjects] = yield* withSampledPages(site, site.subjects)
    const names = yield* productNamesOf(site)
    const all = [...pages, ...subjects]
    const installing = all.find((page) => installedPackages(page).some((name) => isNamedAfter(names, name)))
    const acting = pages.find(offersPage)
    const addressed = all.find((page) => page.url !== site.base.url && isForAgents(page))
    const finding = (page: Page | undefined, seen: string, unseen: string): Finding => ({
      good: page !== undefined,
      message: page === undefined ? unseen : `${pathShown(page.url)} ${seen}.`,
      proof: page?.answer ?? first
    })
    const found = [
      finding(installing, "shows how to install the product", "No page shows a line that installs the product."),
      finding(acting, "can be copied, viewed as Markdown or opened in an assistant", "No page offers itself as Markdown or to an assistant."),
      finding(addressed, "is addressed to agents or assistants", "No page is addressed to agents or assistants.")
    ]
    const summary: Finding = { good: found.every(({ good }) => good), message: found.map(({ message }) => message).join(" "), proof: found.find(({ good }) => good)?.proof ?? first }
    return {
      facts: { install_line: installing !== undefined, page_actions: acting !== undefined, agents_page: addressed !== undefined },
      findings: [summary, ...found] as const
    }
  })
})

/** What the page says in lines of their own, in code or beside it, how to install. */
const installedPackages = (page: Page): ReadonlyArray<string> =>
  [...page.codeBlocks.map(({ text }) => text), ...page.main.segments].flatMap((text) => installLines(text).map((line) => line.package))

const offersPage = ({ controls }: Page): boolean =>
  controls.copyMarkdown || controls.assistants.length > 0 || controls.viewMarkdown.length > 0

/**
 * Titles that speak to agents, or to people who work with them. The start page's says what the product is for, and that
 * may be agents.
 */
const FOR_AGENTS = /\bprompts?\b.{0,20}\b(?:agents?|assistants?)\b|\b(?:agent|assistant) prompts?\b|\b(?:for|with|using|use|build with|via) (?:(?:an?|your|coding|ai|llm) ){0,3}(?:(?:ai|coding|llm) )?(?:agents?|assistants?|llms?|copilots?|chatgpt|claude|cursor)\b|\b(?:ai|llm|coding) (?:agents?|assistants?) (?:guide|instructions|quickstart|setup)\b|^(?:agents\.md|llms\.txt|agent skills)$/i

const AGENT_SEGMENTS = /^(?:for-(?:ai|agents?|llms?)|ai-agents?|ai-assistants?|ai-tools|llms|build-with-(?:ai|llms?)|(?:use|using)-with-(?:ai|llms?|agents?)|agents?-guide|agent-skills)(?:\.(?:html?|mdx?))?$/i

/** News about agents is addressed to readers of news. */
const isForAgents = (page: Page): boolean => {
  if (page.saysNotFound || isAsideAddress(page.url)) return false
  const titles = [...titleParts(page.title), ...page.headings.flatMap(({ inMain, level, text }) => (inMain && level === 1 ? [text] : []))]
  return titles.some((title) => FOR_AGENTS.test(title)) || new URL(page.url).pathname.split("/").some((segment) => AGENT_SEGMENTS.test(segment))
}

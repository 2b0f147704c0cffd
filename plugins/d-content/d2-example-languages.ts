import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/criterion/Criterion.ts"
import { count, ratio, share } from "../../engine/criterion/Fact.ts"
import { someOf } from "../../engine/criterion/Wording.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import { countedLanguage, isProgramming, knownLanguage, languageOfLabel } from "../../engine/site/CodeLanguage.ts"
import { installLines, isInstaller, languageOfManager } from "../../engine/site/InstallLine.ts"
import type { CodeBlock, Page } from "../../engine/site/Page.ts"
import { isNamedAfter } from "../../engine/site/ProductName.ts"
import { readDocumentation } from "./Documentation.ts"
import { pathOf } from "./Subject.ts"

/** A page with code, and the languages that it is in; none where nothing says so. */
interface CodePage {
  readonly page: Page
  readonly languages: ReadonlyArray<string>
}

/** Pages and languages that are named, at most. */
const NAMED = 4

export const d2ExampleLanguages = define({
  id: "d2-example-languages",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    pages_with_code: count("Pages of the sample with code: data, markup, output and installers are none"),
    multilingual: share("Of those, pages with two languages or more"),
    languages: count("Different languages over the sample; all shells are one")
  },
  measure: Effect.fn("d2-example-languages")(function*(site) {
    const { names, sampled, tried } = yield* readDocumentation(site)
    const pages = sampled.flatMap((page): ReadonlyArray<CodePage> => {
      const blocks = page.codeBlocks.filter(isExample)
      return blocks.length === 0 ? [] : [{ page, languages: [...new Set(blocks.flatMap((block) => languagesOf(block, names)))].sort() }]
    })
    const languages = [...new Set(pages.flatMap((page) => page.languages))].sort()
    const multilingual = pages.filter((page) => page.languages.length >= 2)
    return {
      facts: { pages_with_code: pages.length, multilingual: ratio(multilingual.length, pages.length), languages: languages.length },
      findings: findingsOf(pages, languages, multilingual, tried)
    }
  })
})

const saidLanguage = (block: CodeBlock): string | null =>
  block.language ?? (block.label === null ? null : languageOfLabel(block.label)) ?? countedLanguage(block)

/** Code, tagged or not. An untagged block that begins with a bracket is data or markup. */
const isExample = (block: CodeBlock): boolean => {
  const language = saidLanguage(block)
  if (isInstaller(block.text) && block.lines <= 2) return false
  return language === null ? !/^\s*[[{<]/.test(block.text) : isProgramming(language)
}

/**
 * A tag that names no language (`theme`, a file name) counts as code without one. What only installs the product's
 * package says that there is a client in its language, and shows nothing of the shell.
 */
const languagesOf = (block: CodeBlock, names: ReadonlySet<string>): ReadonlyArray<string> => {
  const language = saidLanguage(block)
  const clients = sdkLanguages(block.text, names)
  const onlyInstalls = clients.length > 0 && installLines(block.text).length >= block.lines
  return [...(onlyInstalls || language === null || knownLanguage(language) === null ? [] : [language]), ...clients]
}

/** `pip install` of the product's own package says that there is a client in Python. */
const sdkLanguages = (code: string, names: ReadonlySet<string>): ReadonlyArray<string> =>
  installLines(code).flatMap((line) => {
    const language = languageOfManager(line.manager)
    return language !== null && isNamedAfter(names, line.package) ? [language] : []
  })

const findingsOf = (
  pages: ReadonlyArray<CodePage>,
  languages: ReadonlyArray<string>,
  multilingual: ReadonlyArray<CodePage>,
  tried: Exchange
): readonly [Finding, ...ReadonlyArray<Finding>] => {
  const [first] = pages
  if (first === undefined) return [{ good: false, message: "No page of the sample shows code.", proof: tried }]
  const best = multilingual[0] ?? pages.find((page) => page.languages.length > 0) ?? first
  const named = languages.length === 0 ? "none that is named" : languages.slice(0, NAMED * 2).join(", ")
  return [
    {
      good: multilingual.length > 0,
      message: `${someOf(multilingual.length, pages.length, "page with code", "pages with code")} ${pages.length === 1 ? "shows" : "show"} two languages or more; languages in all: ${named}.`,
      proof: best.page.answer
    },
    ...multilingual.slice(0, NAMED).map(({ languages, page }) => ({ good: true, message: `${pathOf(page.url)} shows ${languages.join(", ")}.`, proof: page.answer }))
  ]
}

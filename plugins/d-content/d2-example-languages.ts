import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/plugin/Criterion.ts"
import { between, count, ratio, share, shareBetween } from "../../engine/plugin/Fact.ts"
import { withMissingText } from "../../engine/plugin/SampledPages.ts"
import { capitalised, enumerated, someOf } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { isProgramming, knownLanguage, languageOfLabel } from "../../engine/page/code/CodeLanguage.ts"
import { countedLanguage } from "../../engine/page/code/CountedLanguage.ts"
import { installLines } from "../../engine/page/code/InstallLine.ts"
import { type CodeBlock, isSubstantive, type Page } from "../../engine/page/Page.ts"
import { isNamedAfter } from "../../engine/site/topics/ProductName.ts"
import { nonBlankLines } from "../../engine/text/WhiteSpace.ts"
import type { Nothing } from "./Citation.ts"
import { nothingRead, readDocumentation } from "./Documentation.ts"
import { pathAndQuery } from "./Topic.ts"

/** A page with code, and the languages of its code as far as they are known. */
interface CodePage {
  readonly page: Page
  readonly languages: ReadonlyArray<string>
}

/** Maximum number of languages to name. */
const NAMED = 8

export const d2ExampleLanguages = define({
  id: "d2-example-languages",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    pages_with_code: count(
      "sampled pages, and reference pages beyond the sample, with code; data, markup, output and installers do not count"
    ),
    multilingual: share("of those, pages with two languages or more"),
    languages: count("different languages on these pages; all Unix shells count as one")
  },
  measure: Effect.fn("d2-example-languages")(
    function* (site) {
      const { known, names, sampled, tried } = yield* readDocumentation(site)
      const more = (yield* site.referencePages).filter(isSubstantive)
      const read = [...sampled, ...more]
      const pages = read.flatMap((page): ReadonlyArray<CodePage> => {
        const blocks = page.codeBlocks.filter((block) => isExample(block, names))
        return blocks.length === 0
          ? []
          : [{ page, languages: [...new Set(blocks.flatMap((block) => languagesOf(block, names)))].sort() }]
      })
      const hasBlocks = read.some(({ codeBlocks }) => codeBlocks.length > 0)
      const nothing = {
        message: nothingRead(
          { known, sampled: read, topicPages: [], spec: null },
          hasBlocks ? "shows code that counts: data, output and commands that set up a machine do not" : "shows code"
        ),
        tried
      }
      const languages = [...new Set(pages.flatMap((page) => page.languages))].sort()
      const multilingual = pages.filter((page) => page.languages.length >= 2)
      return {
        facts: {
          pages_with_code: pages.length,
          multilingual: ratio(multilingual.length, pages.length),
          languages: languages.length
        },
        findings: findingsOf(pages, languages, multilingual, nothing)
      }
    },
    withMissingText(({ languages, multilingual, pages_with_code: whole }, missing) => ({
      pages_with_code: between(whole, whole + missing),
      multilingual: shareBetween(Math.round(multilingual * whole), whole, missing),
      languages: between(languages, null)
    }))
  )
})

const saidLanguage = (block: CodeBlock): string | null => {
  const { label, language } = block
  const labelled = label === null ? null : languageOfLabel(label)
  // Highlighters have no class for some languages, and take that of another; the tab names the right one.
  return countedLanguage(block, labelled !== null && isProgramming(labelled) ? labelled : (language ?? labelled))
}

/** A line of nothing but a URL or a value. */
const VALUE = /^\s*(?:https?:\/\/\S+|[\w.:+@/-]+)\s*$/

const areValues = (text: string): boolean =>
  nonBlankLines(text) <= VALUE_LINES && text.split("\n").every((line) => line.trim() === "" || VALUE.test(line))

/** More lines of them are output, or a file. */
const VALUE_LINES = 20

/** Code, tagged or not. An untagged block that starts with a bracket is data or markup, and one of URLs and values is none either. */
const isExample = (block: CodeBlock, names: ReadonlySet<string>): boolean => {
  const language = saidLanguage(block)
  if (isSetUp(block)) return sdkLanguages(block.text, names).length > 0
  return language === null ? !/^\s*[[{<]/.test(block.text) && !areValues(block.text) : isProgramming(language)
}

/**
 * A tag that names no language (`theme`, a file name) counts as code without one. A block that only installs the product's
 * package counts as an example in the language of the package, not in shell.
 */
const languagesOf = (block: CodeBlock, names: ReadonlySet<string>): ReadonlyArray<string> => {
  const language = saidLanguage(block)
  return [
    ...(isSetUp(block) || language === null || knownLanguage(language) === null ? [] : [language]),
    ...sdkLanguages(block.text, names)
  ]
}

/** Commands that prepare a machine, and what may stand before them. */
const SET_UP_COMMAND =
  /^\s*(?:[$%>❯#]\s+)?(?:sudo\s+(?:-u\s+\S+\s+\S|(?:systemctl|service|apt|apt-get|add-apt-repository|yum|dnf|apk|useradd|adduser|usermod|chown|chmod|mkdir|tee)\b)|(?:systemctl|service|apt|apt-get|brew|yum|dnf|apk|useradd|chown|chmod|mkdir|cd|createdb|createuser|initdb)\s|git\s+clone\s)/
const SET_UP_STATEMENT =
  /^\s*(?:(?:CREATE|ALTER|DROP)\s+(?:DATABASE|USER|ROLE|SCHEMA|EXTENSION)|GRANT|REVOKE|FLUSH\s+PRIVILEGES|USE|SET\s+PASSWORD|EXIT|QUIT|\\[a-z]{1,3})\b/i

/** The beginning of a block tells what it is for. */
const SET_UP_CHARACTERS = 5_000

/** Prepares a machine, a database or packages, and does nothing with the product. */
const isSetUp = (block: CodeBlock): boolean => {
  const start = block.text.slice(0, SET_UP_CHARACTERS)
  const parts = (saidLanguage(block) === "sql" ? start.split(";") : continuedLines(start)).filter(
    (part) => part.trim() !== "" && !/^\s*(?:#\s|--\s)/.test(part)
  )
  return (
    parts.length > 0 &&
    parts.every((part) => SET_UP_COMMAND.test(part) || SET_UP_STATEMENT.test(part) || installLines(part).length > 0)
  )
}

/** Lines joined with those that continue them. */
const continuedLines = (text: string): ReadonlyArray<string> => text.replace(/\\\n/g, " ").split("\n")

/** Names that are not the canonical name with a capital letter. */
const WRITTEN: Readonly<Record<string, string>> = {
  awk: "AWK",
  cobol: "COBOL",
  coffeescript: "CoffeeScript",
  cpp: "C++",
  csharp: "C#",
  fsharp: "F#",
  gdscript: "GDScript",
  graphql: "GraphQL",
  javascript: "JavaScript",
  matlab: "MATLAB",
  objectivec: "Objective-C",
  ocaml: "OCaml",
  php: "PHP",
  powershell: "PowerShell",
  shell: "shell",
  sql: "SQL",
  typescript: "TypeScript",
  vbnet: "VB.NET"
}

const written = (language: string): string => WRITTEN[language] ?? capitalised(language)

/** `pip install` of the product's own package means that a Python client exists. */
const sdkLanguages = (code: string, names: ReadonlySet<string>): ReadonlyArray<string> =>
  installLines(code).flatMap((line) => {
    return line.language !== null && isNamedAfter(names, line.package) ? [line.language] : []
  })

const findingsOf = (
  pages: ReadonlyArray<CodePage>,
  languages: ReadonlyArray<string>,
  multilingual: ReadonlyArray<CodePage>,
  nothing: Nothing
): readonly [Finding, ...ReadonlyArray<Finding>] => {
  const [first] = pages
  if (first === undefined) return [{ good: false, message: nothing.message, proof: nothing.tried }]
  const best = multilingual[0] ?? pages.find((page) => page.languages.length > 0) ?? first
  const named =
    languages.length === 0
      ? "No code, data and messages aside, says which language it is in"
      : `Languages found: ${enumerated([...languages.slice(0, NAMED).map(written), ...(languages.length <= NAMED ? [] : [`${languages.length - NAMED} more`])])}`
  return [
    {
      good: multilingual.length > 0,
      message: `${someOf(multilingual.length, pages.length, ["page with code", "pages with code"], ["shows", "show"])} two languages or more. ${named}.`,
      proof: best.page.answer
    },
    ...pages
      .filter((page) => !multilingual.includes(page))
      .map(({ languages, page }) => ({
        good: false,
        message: `${pathAndQuery(page.url)} shows ${languages.length === 0 ? "code without a language" : `only ${languages.map(written).join("")}`}.`,
        proof: page.answer
      })),
    ...multilingual.map(({ languages, page }) => ({
      good: true,
      message: `${pathAndQuery(page.url)} shows ${enumerated(languages.map(written))}.`,
      proof: page.answer
    }))
  ]
}

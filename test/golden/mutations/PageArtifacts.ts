import {
  all,
  inAnswers,
  inFile,
  inHtml,
  inMarkdown,
  inPages,
  inTexts,
  isMarkdownVersion,
  negotiating,
  responseOf,
  withHeaders
} from "./Break.ts"
import type { Mutation } from "./Mutation.ts"
import type { FakeSite } from "../../../engine/testing/FakeSite.ts"

const noVersions = (site: FakeSite): FakeSite =>
  Object.fromEntries(Object.entries(site).filter(([place]) => !isMarkdownVersion(place)))

/** So that llms.txt has no dead links where there is no Markdown. */
const llmsTxtLinksPages = inFile("/llms.txt", (text) => text.replaceAll(".md)", ")"))

const noNegotiation = inPages((response) => negotiating(response, () => null))

const TABLE_ROW = /^\|.*\n/gm

/** More than a reader scrolls through before the page begins. */
const LONG_MENU = `<nav>${Array.from({ length: 700 }, (_, index) => `<a href="/v2#item-${index}">Another entry of the menu ${index}</a>`).join(" ")}</nav>`

export const pageArtifactMutations: ReadonlyArray<Mutation> = [
  { name: "pages have no Markdown versions", breaks: inAnswers(all(noVersions, llmsTxtLinksPages)), costs: "B1" },
  { name: "Markdown is not negotiated", breaks: inAnswers(noNegotiation), costs: "B2" },
  {
    name: "negotiated Markdown does not say Vary",
    breaks: inAnswers(
      inPages((response) => negotiating(response, (answer) => withHeaders(responseOf(answer), { vary: null })))
    ),
    costs: "B2"
  },
  {
    name: "there is no Markdown at all",
    breaks: inAnswers(all(noVersions, llmsTxtLinksPages, noNegotiation)),
    costs: "B1",
    alsoMayCost: { B2: "that is Markdown, too", B3: "what is not there cannot be faithful" }
  },
  {
    name: "tables are lost in the Markdown",
    breaks: inAnswers(inMarkdown((text) => text.replaceAll(TABLE_ROW, ""))),
    costs: "B3"
  },
  {
    name: "the Markdown's last code fence is left open",
    breaks: inAnswers(inMarkdown((text) => `${text}\n\`\`\`\nand so on`)),
    costs: "B3"
  },
  {
    name: "links of the Markdown lead nowhere",
    breaks: inAnswers(inMarkdown((text) => text.replaceAll("](/v2/", "](../pages/"))),
    costs: "B3",
    alsoMayCost: {
      B1: "the start page is a dead end for agents that ask for Markdown",
      B2: "the start page is a dead end for agents that ask for Markdown",
      E4: "the start page is a dead end for agents that ask for Markdown"
    }
  },
  {
    name: "pages have no description",
    breaks: inAnswers(inHtml((html) => html.replace(/ *<meta name="description".*\n/, ""))),
    costs: "B4"
  },
  {
    name: "all pages have one description",
    breaks: inAnswers(
      inHtml((html) =>
        html.replace(
          /(<meta name="description" content=")[^"]*/,
          "$1The documentation of the Moorling API, with all that there is to know about it."
        )
      )
    ),
    costs: "B4"
  },
  {
    name: "pages do not name their language",
    breaks: inAnswers(inHtml((html) => html.replace('<html lang="en">', "<html>"))),
    costs: "B4"
  },
  {
    name: "pages have no title",
    breaks: inAnswers(inHtml((html) => html.replace(/ *<title>.*\n/, ""))),
    costs: "B4"
  },
  {
    name: "pages have no canonical",
    breaks: inAnswers(inHtml((html) => html.replace(/ *<link rel="canonical".*\n/, ""))),
    costs: "B4",
    alsoMayCost: { E3: "a canonical is metadata, and what makes an address stable" }
  },
  {
    name: "a long menu comes before the content",
    breaks: inAnswers(inHtml((html) => html.replace("<main>", `${LONG_MENU}\n<main>`))),
    costs: "B5"
  },
  {
    name: "pages have two H1",
    breaks: inAnswers(inHtml((html) => html.replace("<article>", "<article><h1>Moorling</h1>"))),
    costs: "B5",
    alsoMayCost: { B3: "the Markdown lacks the second heading" }
  },
  {
    name: "pages are heavier than a megabyte",
    breaks: inAnswers(inHtml((html) => html.replace("</head>", `<style>${"/* x */".repeat(160_000)}</style></head>`))),
    costs: "B5"
  },
  {
    name: "code blocks do not name their language",
    breaks: inTexts((text) => text.replaceAll(/^```[a-z]+$/gm, "```")),
    costs: "B5",
    alsoMayCost: { D2: "languages that are not named are not told apart" }
  }
]

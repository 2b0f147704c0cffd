import type { Answer } from "../../../engine/evidence/Exchange.ts"
import { textOf as decodedText } from "../../../engine/evidence/BodyText.ts"
import { readLinkHeader, robotsDirectives } from "../../../engine/page/ResponseFacts.ts"
import { checkDocument } from "../../page/conversion/MarkdownCheck.ts"
import { markdownOf } from "../../../engine/page/conversion/ConvertPage.ts"
import { previewOfHtml, previewOfText, readsAsErrorPage } from "../../../engine/page/ErrorPage.ts"
import { shownByScript } from "../../../engine/page/script/ViewerScript.ts"
import { installLines, isInstaller } from "../../../engine/page/code/InstallLine.ts"
import { parseLlmsTxt } from "../../../engine/page/markdown/LlmsDocument.ts"
import { readMarkdown, textsOf } from "../../../engine/page/markdown/MarkdownReader.ts"
import { readPage } from "../../../engine/page/read/ReadPage.ts"
import { allows, parseRobots, productToken } from "../../../engine/site/wellknown/RobotsFile.ts"
import { parseLastmod, parseSitemap } from "../../../engine/site/wellknown/SitemapDocument.ts"
import { feedDates } from "../../../plugins/d-content/Changelog.ts"
import { datesIn, newestUpTo } from "../../../plugins/d-content/WrittenDate.ts"
import { type FuzzTarget, holds, split, textOf } from "../Target.ts"

const URL_OF_PAGE = "https://docs.example.com/guide/page"

const answerWith = (body: Uint8Array, contentType: string, url = URL_OF_PAGE): Answer => ({
  _tag: "Answer",
  asked: { method: "GET", url, accept: "text/html", agent: "docgauge" },
  url,
  status: 200,
  headers: [["content-type", contentType]],
  body,
  cut: false,
  wireBytes: body.length,
  redirects: []
})

/** What a parser thread gives back is cloned on its way: anything but plain data would end it. */
const isPlain = (value: unknown): void => {
  structuredClone(value)
}

const pageAs =
  (contentType: string) =>
  (bytes: Uint8Array): void => {
    const { answer: _, ...page } = readPage({ answer: answerWith(bytes, contentType) })
    isPlain(page)
  }

/** Text enough for a page to be converted, before what is foreign. */
const BEGINNING = Buffer.from(
  `<!doctype html><html lang=en><title>Orders</title><main><h1>Orders</h1><p>${"How orders are placed and tracked is described here. ".repeat(10)}</p>`
)

/** A page that is converted is Markdown that can be compared with it. */
const asMarkdown = (bytes: Uint8Array): void => {
  const page = readPage({ answer: answerWith(Buffer.concat([BEGINNING, bytes]), "text/html; charset=utf-8") })
  const markdown = markdownOf(page)?.text ?? null
  if (markdown === null) return
  holds("Markdown ends with a line end", markdown.endsWith("\n"))
  isPlain(checkDocument(page, readMarkdown(markdown)))
}

const DAY = "2026-11-21"

/** Parsers of pages and of what sites say about themselves. */
export const pageTargets: ReadonlyArray<FuzzTarget> = [
  { name: "page, HTML", kinds: ["html", "markdown"], read: pageAs("text/html; charset=utf-8") },
  { name: "page, Markdown", kinds: ["markdown", "html"], read: pageAs("text/markdown") },
  { name: "page, plain text", kinds: ["markdown", "text"], read: pageAs("text/plain") },
  { name: "page, no type", kinds: ["html", "markdown", "xml"], read: pageAs("") },
  { name: "page that becomes Markdown", kinds: ["html"], read: asMarkdown },
  { name: "Markdown", kinds: ["markdown"], read: (bytes) => isPlain(textsOf(readMarkdown(textOf(bytes)))) },
  { name: "llms.txt", kinds: ["llms", "markdown"], read: (bytes) => isPlain(parseLlmsTxt(textOf(bytes))) },
  {
    name: "robots.txt",
    kinds: ["robots"],
    read: (bytes) => {
      const file = parseRobots(textOf(bytes))
      for (const url of ["https://docs.example.com/", `https://docs.example.com/${"p".repeat(1_500)}`]) {
        for (const agent of ["GPTBot/1.2", "*", "docgauge"]) allows(file, agent, url)
      }
      productToken(textOf(bytes.subarray(0, 4_096)))
    }
  },
  {
    name: "sitemap",
    kinds: ["xml", "text"],
    read: (bytes) => {
      const { locations } = parseSitemap(textOf(bytes), 50_000)
      for (const { lastmod } of locations) {
        const day = parseLastmod(lastmod)
        holds("a last modification is a day or nothing", day === null || /^[+-]?\d{4,6}-\d{2}-\d{2}/.test(day))
      }
    }
  },
  { name: "feed", kinds: ["xml"], read: (bytes) => isPlain(feedDates(textOf(bytes))) },
  {
    name: "dates in text",
    kinds: ["text", "markdown"],
    read: (bytes) => {
      const days = datesIn(textOf(bytes))
      holds(
        "every day is a date",
        days.every((day) => !Number.isNaN(Date.parse(day)))
      )
      newestUpTo(days, DAY)
    }
  },
  {
    name: "face of a document, and error pages",
    kinds: ["html", "text"],
    read: (bytes) => {
      isPlain([previewOfHtml(textOf(bytes)), previewOfText(textOf(bytes))])
      readsAsErrorPage(answerWith(bytes, "text/html"))
    }
  },
  {
    name: "install lines",
    kinds: ["text", "markdown"],
    read: (bytes) => isPlain([installLines(textOf(bytes)), isInstaller(textOf(bytes))])
  },
  {
    name: "object in a script",
    kinds: ["json", "html"],
    read: (bytes) => isPlain(shownByScript(textOf(bytes)))
  },
  {
    name: "charset",
    kinds: ["http", "html"],
    read: (bytes) => {
      const [line] = split(bytes)
      for (const type of [line, `text/html; charset=${line.slice(0, 40)}`, ""]) decodedText(answerWith(bytes, type))
    }
  },
  {
    name: "Link and X-Robots-Tag headers",
    kinds: ["http", "text"],
    read: (bytes) => isPlain([readLinkHeader(textOf(bytes)), robotsDirectives(textOf(bytes))])
  }
]

import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { parseArgs } from "node:util"
import * as Schema from "effect/Schema"
import { textOf } from "../../engine/evidence/BodyText.ts"
import { elementsById, walkDom } from "../../engine/page/dom/DomWalk.ts"
import { parseHtml } from "../../engine/page/dom/HtmlParser.ts"
import { baseOf } from "../../engine/page/html/PageLinks.ts"
import { chooseContent } from "../../engine/page/html/MainContentReader.ts"
import { contentTree } from "../../engine/page/conversion/ContentTree.ts"
import { type HtmlElement, type HtmlNode, htmlOf } from "../../engine/page/conversion/HtmlNodes.ts"
import { checkDocument } from "../page/conversion/MarkdownCheck.ts"
import { markdownOf } from "../../engine/page/conversion/ConvertPage.ts"
import { readMarkdown } from "../../engine/page/markdown/MarkdownReader.ts"
import type { Page } from "../../engine/page/Page.ts"
import { corpusPages } from "../corpus/CorpusPages.ts"
import { CORPUS, extractSites } from "../corpus/CorpusServer.ts"
import { corpusSites } from "../corpus/CorpusSites.ts"
import { table } from "./measure/Table.ts"

/*
 * Compares libraries that turn HTML into Markdown on pages of the corpus, by the measure of criterion B3:
 * `node test/bench/markdown.ts [--pages 200]`. Each converts the main content as docgauge chooses it (absolute URLs, tabs
 * headed, no navigation) in a process of its own; the last row is docgauge itself, from the bytes of the page. The others are
 * installed into a temporary folder. `npm` and the corpus are needed.
 */

const { values: options } = parseArgs({ options: { pages: { type: "string", default: "200" } } })

const LIBRARIES: Readonly<Record<string, ReadonlyArray<string>>> = {
  turndown: ["turndown@7.2.5", "turndown-plugin-gfm@1.0.2"],
  "turndown (joplin)": ["turndown@7.2.5", "@joplin/turndown-plugin-gfm@1.0.68"],
  mdream: ["mdream@1.7.2"],
  "rehype-remark": [
    "unified@11.0.5",
    "rehype-parse@9.0.1",
    "rehype-remark@10.0.1",
    "remark-gfm@4.0.1",
    "remark-stringify@11.0.0"
  ],
  "node-html-markdown": ["node-html-markdown@2.0.0"]
}

/** Texts that end, begin or imitate Markdown: what a converter must escape. */
const HOSTILE = [
  "# not a heading",
  "- no item",
  "1. no item",
  "> no quote",
  "[no](link)",
  "![no](image)",
  "<b>no tag</b>",
  "<script>no()</script>",
  "`no code`",
  "*no* emphasis",
  "--- no rule",
  "| no | cell |",
  "``` no fence",
  "~~~ no fence",
  "[x]: no-definition",
  "a\\* no escape",
  "&lt;no reference",
  "    no code"
]

const Spent = Schema.Struct({
  milliseconds: Schema.Number,
  kilobytes: Schema.Number,
  failed: Schema.Array(Schema.String)
})

const escaped = (value: string): string => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const contentOfPage = (page: Page): ReadonlyArray<HtmlNode> => {
  const document = parseHtml(textOf(page.answer).text)
  const walk = walkDom(document)
  return contentTree({
    content: chooseContent(walk).container.element ?? document,
    base: baseOf(walk, page.url),
    byId: elementsById(walk)
  })
}

const countOf = (nodes: ReadonlyArray<HtmlNode>, wanted: (element: HtmlElement) => boolean): number =>
  nodes.reduce(
    (sum, child) => sum + ("name" in child ? (wanted(child) ? 1 : 0) + countOf(child.children, wanted) : 0),
    0
  )

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`

const folder = mkdtempSync(join(tmpdir(), "docgauge-markdown-bench-"))
try {
  await extractSites(join(folder, "sites"))
  const pages = corpusPages(join(folder, "sites"), corpusSites(CORPUS), Number(options.pages))
  const trees = pages.map(({ page }) => contentOfPage(page))
  const expected = {
    tables: trees.reduce((sum, tree) => sum + countOf(tree, ({ name }) => name === "table"), 0),
    tagged: trees.reduce(
      (sum, tree) =>
        sum + countOf(tree, ({ attributes, name }) => name === "code" && attributes["class"] !== undefined),
      0
    ),
    links: trees.reduce((sum, tree) => sum + countOf(tree, ({ name }) => name === "a"), 0)
  }
  const [html, hostile] = [join(folder, "html"), join(folder, "hostile")]
  for (const into of [html, hostile]) mkdirSync(into)
  const nameOf = (index: number): string => String(index).padStart(4, "0")
  trees.forEach((tree, index) => writeFileSync(join(html, `${nameOf(index)}.html`), htmlOf(tree)))
  HOSTILE.forEach((value, index) =>
    writeFileSync(join(hostile, `${nameOf(index)}.html`), `<p>Before.</p><p>${escaped(value)}</p><p>After.</p>`)
  )
  const program = join(import.meta.dirname, "data", "convertHtml.mjs")

  /** The cells of a library: faithful pages, lost segments, open fences, tables, languages, links, broken texts, time, bytes. */
  const row = (
    name: string,
    texts: ReadonlyArray<string>,
    milliseconds: number,
    broken: string,
    size: string
  ): ReadonlyArray<string> => {
    const checks = texts.map((text, index) => {
      const page = pages[index]?.page
      if (page === undefined) throw new Error("there are more texts than pages")
      return checkDocument(page, readMarkdown(text))
    })
    const documents = texts.map(readMarkdown)
    const blocks = documents.flatMap((document) => document.blocks)
    const [segments, lost] = [
      checks.reduce((sum, check) => sum + check.segments, 0),
      checks.reduce((sum, { missing }) => sum + missing.length, 0)
    ]
    return [
      name,
      percent(checks.filter(({ missing, segments }) => missing.length <= segments * 0.05).length / pages.length),
      percent(lost / segments),
      String(checks.reduce((sum, { openFences }) => sum + openFences, 0)),
      `${blocks.filter(({ kind }) => kind === "table").length} of ${expected.tables}`,
      `${blocks.filter((block) => block.kind === "code" && block.language !== "").length} of ${expected.tagged}`,
      `${documents.reduce((sum, { links }) => sum + links.length, 0)} of ${expected.links}`,
      broken,
      `${(milliseconds / pages.length).toFixed(1)} ms`,
      String(Math.round(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1_024)),
      size
    ]
  }

  const run = (
    library: string,
    from: string,
    cwd: string
  ): { readonly spent: typeof Spent.Type; readonly texts: ReadonlyArray<string> } => {
    const to = `${from}-${library}`
    const output = execFileSync(process.execPath, [program, library, from, to], {
      cwd,
      encoding: "utf8",
      maxBuffer: 1e8
    })
    const count = from === html ? pages.length : HOSTILE.length
    return {
      spent: Schema.decodeUnknownSync(Spent)(JSON.parse(output)),
      texts: Array.from({ length: count }, (_, index) => readFileSync(join(to, `${nameOf(index)}.md`), "utf8"))
    }
  }

  const isKept = (text: string, value: string): boolean => {
    const { blocks, links } = readMarkdown(text)
    const [, middle] = blocks
    return blocks.length === 3 && links.length === 0 && middle?.kind === "paragraph" && middle.text === value.trim()
  }

  const rows = Object.entries(LIBRARIES).map(([library, packages]) => {
    const cwd = join(folder, `install-${library.replace(/\W/g, "")}`)
    mkdirSync(cwd)
    writeFileSync(join(cwd, "package.json"), "{}")
    execFileSync("npm", ["install", "--silent", "--no-fund", "--no-audit", ...packages], {
      cwd,
      stdio: ["ignore", "ignore", "inherit"]
    })
    const size = execFileSync("du", ["-sk", "node_modules"], { cwd, encoding: "utf8" }).split("\t")[0] ?? ""
    const { spent, texts } = run(library, html, cwd)
    for (const failure of spent.failed) console.error(`${library} failed on ${failure}`)
    const kept = run(library, hostile, cwd).texts.filter((text, index) => isKept(text, HOSTILE[index] ?? "")).length
    return row(
      library,
      texts,
      spent.milliseconds,
      `${kept} of ${HOSTILE.length}`,
      `${(Number(size) / 1_024).toFixed(1)} MB`
    )
  })

  for (const { page } of pages.slice(0, 10)) markdownOf(page)
  const start = process.cpuUsage()
  const own = pages.map(({ page }) => markdownOf(page)?.text ?? "")
  const { system, user } = process.cpuUsage(start)
  console.log(`${pages.length} pages of ${new Set(pages.map(({ site }) => site)).size} sites\n`)
  console.log(
    table(
      [
        "library",
        "pages ≥ 95%",
        "lost",
        "open fences",
        "tables",
        "languages",
        "links",
        "hostile texts kept",
        "CPU a page",
        "KB",
        "installed"
      ],
      [...rows, row("docgauge (mdream)", own, (user + system) / 1_000, "see its tests", "bundled")]
    )
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

import { below } from "../../evidence/Address.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { isAnswer } from "../../evidence/Exchange.ts"
import { filePathOf, NOTHING, notWritten, onlyFile, whyNotCompleted, type Written } from "../site/GeneratedFile.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import type { SitePage, SitePages } from "../site/SitePages.ts"
import { markdownLine } from "./Links.ts"
import { withoutWayOn } from "./WayOn.ts"
import { grouped } from "../../plugin/Wording.ts"

/** As A2 counts: a shorter file is no full text. */
const LEAST_BYTES = 1_024

/** Agents fetch no more; docgauge neither. */
const MOST_BYTES = 20_000_000

/** Writes llms-full.txt: the Markdown of all pages that were opened, each below a heading with its URL. */
export const fullTextFile = (site: PublishedSite, { linked, opened, title }: SitePages): Written => {
  const { attempts, missing } = site.fullText
  if (missing.length > 0)
    return notWritten("a2-full-text", "An llms-full.txt may exist: its URL did not answer. Try again later.", [
      missing[0]?.asked.url ?? ""
    ])
  const small = attempts.find(({ source, verdict }) => source === "well_known" && verdict === "small")
  const url = small?.url ?? below(site.base.folder, "llms-full.txt")
  const path = filePathOf(url)
  if (path === null) return NOTHING
  const own = small !== undefined && isAnswer(small.exchange) ? small.exchange : null
  const refusal = own === null ? null : whyNotCompleted(own)
  if (refusal !== null) return notWritten("a2-full-text", `llms-full.txt ${refusal}`, [url])
  const there = own === null ? null : textOf(own).text
  let bytes = 0
  const kept = opened
    .flatMap((page) => partOf(page) ?? [])
    .filter(({ body, head }) => (bytes += Buffer.byteLength(head) + Buffer.byteLength(body) + 1) <= MOST_BYTES)
  const known = opened.length + linked.length
  const held = `> The text of ${kept.length === known ? "all" : `${grouped(kept.length)} of`} ${grouped(known)} known pages.\n`
  const head = there === null ? `# ${markdownLine(title, 150)}\n\n${held}` : `${there.trimEnd()}\n\n${held}`
  // In one step: with up to 20 MB each, what is joined in between would be most of the memory.
  const text = [head, ...kept.flatMap((part) => ["\n", part.head, part.body, "\n"])].join("")
  return Buffer.byteLength(text) > LEAST_BYTES && kept.length > 0
    ? onlyFile({ path, url, plugins: ["a2-full-text"], text, completes: there })
    : notWritten("a2-full-text", "The pages have too little text that can be converted to Markdown.", [site.base.url])
}

const partOf = ({ markdown, title, url }: SitePage): { readonly head: string; readonly body: string } | null => {
  if (markdown === null || markdown.text === "") return null
  const text = withoutWayOn(withoutFrontMatter(markdown.text)).trim()
  const body = text.replace(/^# .*(?:\n|$)/, "").trim()
  return { head: `# ${markdownLine(title || url, 150)}\n\nSource: <${url}>\n\n`, body }
}

const withoutFrontMatter = (markdown: string): string => markdown.replace(/^---\n[^]*?\n---\n/, "")

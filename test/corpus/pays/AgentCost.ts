import { answering, type FakeSite } from "../../../engine/testing/FakeSite.ts"
import { normalise, pageKey } from "../../../engine/evidence/Address.ts"
import type { Asked } from "../../../engine/evidence/Exchange.ts"
import { readAsAgent } from "../../../engine/page/conversion/AgentReading.ts"
import { targetForm } from "../../../engine/page/markdown/Faithfulness.ts"
import { readMarkdown } from "../../../engine/page/markdown/MarkdownReader.ts"
import { readPage } from "../../../engine/page/read/ReadPage.ts"
import { answerOf } from "../../site/FakeContext.ts"
import { HOST } from "./FolderSite.ts"

/** What an agent pays to get from the start page to each page that it needs, and to read them. */
export interface AgentCost {
  /** Pages that it does not get to by links. */
  readonly unreached: number
  /** Characters that its fetch tool returns for these pages, and for those on the ways to them. */
  readonly characters: number
  /** Requests for all of these. */
  readonly requests: number
}

/** Fewer pages out of reach first, then fewer characters, then fewer requests. */
export const isCheaper = (one: AgentCost, other: AgentCost): boolean => {
  const order = [one.unreached - other.unreached, one.characters - other.characters, one.requests - other.requests]
  return (order.find((difference) => difference !== 0) ?? 0) < 0
}

/** As Claude Code asks. */
const ACCEPT = "text/markdown, text/html, */*"

/** What a fetch tool returns of a URL, and where it leads. */
interface Fetched {
  readonly characters: number
  readonly links: ReadonlyArray<string>
}

/** @param needed paths of the pages, the start page first */
export const agentCost = (site: FakeSite, needed: readonly [string, ...ReadonlyArray<string>]): AgentCost => {
  const fetch = fetchTool(site)
  const urls = needed.map((path) => `${HOST}${path}`)
  const before = waysFrom(urls[0] ?? HOST, urls, fetch)
  const read = new Map<string, string>()
  const take = (url: string): void => {
    if (read.has(targetForm(url))) return
    read.set(targetForm(url), url)
    const from = before.get(targetForm(url))
    if (from !== undefined && from !== null) take(from)
  }
  urls.forEach(take)
  return {
    unreached: urls.filter((url) => !before.has(targetForm(url))).length,
    characters: [...read.values()].reduce((sum, url) => sum + (fetch(url)?.characters ?? 0), 0),
    requests: read.size
  }
}

const fetchTool = (site: FakeSite): ((url: string) => Fetched | null) => {
  const answer = answering(site, HOST)
  const known = new Map<string, Fetched | null>()
  const fetch = (url: string): Fetched | null => {
    const asked: Asked = { method: "GET", url, accept: ACCEPT, agent: "docgauge" }
    const { body = "", status = 200, type } = answer(asked)
    if (status !== 200 || type === undefined || type === null) return null
    const exchange = answerOf(url, { body, type })
    const reading = readAsAgent(exchange, { converts: "markdown", keeps: null })
    if (reading === null) return null
    const page = readPage({ answer: exchange })
    const text = page.format === "markdown" ? new TextDecoder().decode(exchange.body) : null
    const links =
      text === null
        ? page.links.map((link) => link.url)
        : readMarkdown(text).links.flatMap(({ href }) => normalise(href, url) ?? [])
    return { characters: reading.characters, links: links.filter((link) => link.startsWith(`${HOST}/`)) }
  }
  return (url) => {
    const key = pageKey(url)
    if (!known.has(key)) known.set(key, fetch(url))
    return known.get(key) ?? null
  }
}

/** From where each page is reached with the fewest requests, `null` for the first; it ends once all `wanted` were seen. */
const waysFrom = (
  start: string,
  wanted: ReadonlyArray<string>,
  fetch: (url: string) => Fetched | null
): ReadonlyMap<string, string | null> => {
  const before = new Map<string, string | null>([[targetForm(start), null]])
  let layer = [start]
  while (layer.length > 0 && !wanted.every((url) => before.has(targetForm(url)))) {
    const next: Array<string> = []
    for (const url of layer) {
      for (const link of fetch(url)?.links ?? []) {
        if (before.has(targetForm(link))) continue
        before.set(targetForm(link), url)
        next.push(link)
      }
    }
    layer = next
  }
  return before
}

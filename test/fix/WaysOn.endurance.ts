import { readFileSync } from "node:fs"
import process from "node:process"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { Agent, buildConnector, fetch } from "undici"
import { normalise } from "../../engine/evidence/Address.ts"
import { targetForm } from "../../engine/page/markdown/Faithfulness.ts"
import { readMarkdown } from "../../engine/page/markdown/MarkdownReader.ts"
import { readPage } from "../../engine/page/read/ReadPage.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"
import { type CorpusServer, hasCorpus } from "../corpus/CorpusServer.ts"
import { answerOf } from "../site/FakeContext.ts"
import { eachFixed } from "./FixedCorpus.ts"

/* Whether written Markdown leads where the pages lead: `npm run test:endurance -- test/fix/WaysOn`. `DOCGAUGE_FIX_SITES=vuex,httpx`: some sites. */

/** Clicks from the start page within which pages are looked at. */
const CLICKS = 3

const only = process.env["DOCGAUGE_FIX_SITES"]?.split(",")

const rubric = () =>
  Effect.runPromise(loadRubric(readFileSync(new URL("../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins))

/** Lists that a generator makes of pages, by keyword or of one part of the menu: no page that anybody wrote, and none that is owed Markdown. */
const GENERATED_INDEX = /\/(?:tags|category)(?:\/|$)/

/** Where what a URL returns leads; `null` where it is no page. */
type Ways = (url: string) => Promise<ReadonlyArray<string> | null>

const waysOver = ({ authority, port }: CorpusServer, accept: string): Ways => {
  const connector = buildConnector({ ca: authority })
  const dispatcher = new Agent({
    connect: (options, done) =>
      connector({ ...options, servername: options.hostname, hostname: "127.0.0.1", port: String(port) }, done)
  })
  return async (url) => {
    const response = await fetch(url, { dispatcher, headers: { accept } })
    const body = await response.text()
    const type = response.headers.get("content-type") ?? ""
    if (!response.ok || !/^text\/(?:html|markdown)/.test(type)) return null
    const at = response.url
    return type.startsWith("text/html")
      ? readPage({ answer: answerOf(at, { body, type }) }).links.map((link) => link.url)
      : [
          ...readMarkdown(body).links.map(({ href }) => href),
          ...[...body.matchAll(/https:\/\/[^\s<>()\]]+/g)].map(([match]) => match)
        ].flatMap((href) => normalise(href, at) ?? [])
  }
}

/** A URL, and how many clicks it is away from the start page. */
interface Reached {
  readonly url: string
  readonly clicks: number
}

/** The URLs of the site that one gets to from the start page. */
const reachedFrom = async (start: string, ways: Ways, most: number): Promise<ReadonlyMap<string, Reached>> => {
  const reached = new Map<string, Reached>([[targetForm(start), { url: start, clicks: 0 }]])
  const { origin } = new URL(start)
  let layer = [start]
  for (let clicks = 1; clicks <= most; clicks++) {
    const next: Array<string> = []
    for (const url of layer)
      for (const link of (await ways(url)) ?? []) {
        if (new URL(link).origin !== origin || reached.has(targetForm(link))) continue
        reached.set(targetForm(link), { url: link, clicks })
        next.push(link)
      }
    layer = next
  }
  return reached
}

describe.skipIf(!hasCorpus)("the Markdown that is written for a site of the corpus", () => {
  test("leads from the start page to all that HTML leads to, with one click more at most", async () => {
    const lost = await eachFixed(
      await rubric(),
      async (server, { site, url }, { fixes, otherVersions }) => {
        // Nothing is written for other versions of the documentation, so nothing leads to their pages either.
        const isOwed = (page: string): boolean =>
          !GENERATED_INDEX.test(page) && !otherVersions.some((version) => page.startsWith(version.url))
        const asHtml = waysOver(server, "text/html")
        const html = await reachedFrom(url, asHtml, CLICKS)
        const markdown = await reachedFrom(url, waysOver(server, "text/markdown, text/html, */*"), CLICKS + 1)
        const far: Array<string> = []
        for (const [page, { clicks, url }] of html) {
          const then = markdown.get(page)?.clicks
          // Links lead to files, too, and to pages that are gone.
          if ((then ?? Infinity) > clicks + 1 && isOwed(url) && (await asHtml(url)) !== null)
            far.push(`${url}, ${clicks} in HTML, ${then ?? "none"} in Markdown`)
        }
        const written = fixes.files.flatMap(({ path }) => (path.endsWith(".md") ? [`/${path}`] : []))
        // A site's own Markdown is not ours to lead on.
        const isOurs = written.some((path) => targetForm(new URL(path, url).href) === targetForm(url))
        process.stdout.write(
          `${site}: ${written.length} Markdown files${isOurs ? "" : ", none of the start page"}, ${html.size} URLs within ${CLICKS} clicks, ${far.length} farther away${far
            .slice(0, 5)
            .map((one) => `\n  ${one}`)
            .join("")}\n`
        )
        return isOurs ? far.map((one) => `${site}: ${one}`) : []
      },
      only
    )
    expect(lost.flat()).toEqual([])
  })
})

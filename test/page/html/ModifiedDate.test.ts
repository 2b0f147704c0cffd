import { expect, it } from "vitest"
import { jsonLdBlocks, modifiedOn } from "../../../engine/page/html/PageMetadata.ts"
import { walked } from "./Walked.ts"

const modifiedIn = (html: string): string | null => {
  const walk = walked(html)
  return modifiedOn(walk, jsonLdBlocks(walk))
}

it.each([
  ["a meta element's", "<meta property=article:modified_time content=2026-10-02T08:00:00Z>", "2026-10-02"],
  ["that of a labelled time", "<p>Last updated: <time datetime=2026-10-03>3 October</time></p>", "2026-10-03"],
  [
    "that of a time in a generator's element, in any language",
    "<p class=VPLastUpdated>最終更新: <time datetime=2026-10-04T01:00:00>…</time></p>",
    "2026-10-04"
  ],
  [
    "that of JSON-LD about the page",
    '<script type=application/ld+json>{"@type":"TechArticle","dateModified":"2026-10-05"}</script>',
    "2026-10-05"
  ],
  [
    "the meta element's before any other",
    "<meta name=last-modified content=2026-10-02><time itemprop=dateModified datetime=2026-10-06></time>",
    "2026-10-02"
  ],
  [
    "none where two differ",
    "<time itemprop=dateModified datetime=2026-10-06></time><time itemprop=dateModified datetime=2026-10-07></time>",
    null
  ],
  ["none of a time without a label", "<p>On <time datetime=2026-10-03>3 October</time> we began.</p>", null],
  ["none of a day that does not exist", "<meta name=last-modified content=2026-02-30>", null]
])("the day of the last change is %s", (_, html, day) => {
  expect(modifiedIn(html)).toBe(day)
})

import { expect, it } from "vitest"
import { jsonLdBlocks, readStructuredData } from "../../../engine/page/html/PageMetadata.ts"
import { walked } from "./Walked.ts"

const block = (json: string): string => `<script type="application/ld+json">${json}</script>`

const read = (html: string) => {
  const walk = walked(html)
  return readStructuredData(walk, jsonLdBlocks(walk))
}

it.each([
  [
    "types of a graph",
    block(
      '{"@context":"https://schema.org","@graph":[{"@type":["TechArticle","Article"]},{"author":{"@type":"Person"}}]}'
    ),
    { types: ["Article", "Person", "TechArticle"] }
  ],
  [
    "types by their full names, without a context",
    block('{"@type":"http://schema.org/FAQPage"}'),
    { types: ["FAQPage"] }
  ],
  ["no types of another vocabulary", block('{"@context":"https://other.example","@type":"Thing"}'), { types: [] }],
  [
    "microdata and RDFa",
    "<div itemscope itemtype=https://schema.org/HowTo></div><p typeof=schema:Person></p>",
    { types: ["HowTo", "Person"] }
  ],
  ["blocks that do not parse, or hold no object", `${block("{oops")}${block("3")}`, { types: [] }]
])("reads %s", (_, html, data) => {
  expect(read(html)).toEqual(data)
})

import { describe, expect, it } from "vitest"
import { prefersHtml, prefersMarkdown } from "../../server/response/Negotiation.ts"

describe("Markdown is preferred", () => {
  it.each([
    "text/markdown",
    "text/markdown, text/html;q=0.9, */*;q=0.1",
    "text/html, text/markdown",
    "TEXT/MARKDOWN; charset=utf-8; q=0.5, text/html;q=0.4",
    "text/markdown, */*",
    "text/*, text/html;q=0.5",
    "*/*, text/html;q=0"
  ])("by %s", (accept) => expect(prefersMarkdown(accept)).toBe(true))

  it.each([
    undefined,
    "",
    "*/*",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "text/markdown;q=0",
    "text/markdown;q=0.3, text/html",
    "text/markdown;q=x",
    "text/*",
    "text/*;q=0.9, text/markdown;q=0.1",
    "text/*;q=0.3, text/html",
    "application/text/markdown"
  ])("not by %s", (accept) => expect(prefersMarkdown(accept)).toBe(false))
})

describe("a page is preferred to JSON", () => {
  it.each([
    "text/html",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "text/*",
    "text/html, */*",
    "*/*, application/json;q=0.5"
  ])("by %s", (accept) => expect(prefersHtml({ headers: { accept } })).toBe(true))

  it.each([
    "",
    "*/*",
    "application/*",
    "application/json",
    "application/json, text/html",
    "text/html;q=0.5, */*",
    "text/html;q=0, */*;q=0.1",
    "text/html, application/json"
  ])("not by %s", (accept) => expect(prefersHtml({ headers: { accept } })).toBe(false))
})

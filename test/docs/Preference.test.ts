import { describe, expect, it } from "vitest"
import { prefersMarkdown } from "../../server/pages/docs/Preference.ts"

describe("Markdown is preferred", () => {
  it.each([
    "text/markdown",
    "text/markdown, text/html;q=0.9, */*;q=0.1",
    "text/html, text/markdown",
    "TEXT/MARKDOWN; charset=utf-8; q=0.5, text/html;q=0.4"
  ])("by %s", (accept) => expect(prefersMarkdown(accept)).toBe(true))

  it.each([
    undefined,
    "",
    "*/*",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "text/markdown;q=0",
    "text/markdown;q=0.3, text/html",
    "text/markdown;q=x",
    "application/text/markdown"
  ])("not by %s", (accept) => expect(prefersMarkdown(accept)).toBe(false))
})

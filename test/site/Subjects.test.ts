import { describe, expect, it } from "vitest"
import { chooseSubjectPages } from "../../engine/site/Subjects.ts"
import { subjectsNamed } from "../../engine/site/SubjectAddress.ts"

const HOST = "https://docs.example.com"

/** What is chosen of these paths, none of which is in the sample; `candidates` could have been. */
const chosen = (paths: ReadonlyArray<string>, candidates: ReadonlyArray<string> = paths): ReadonlyArray<string> => {
  const named = paths.map((path) => ({ url: HOST + path, subjects: subjectsNamed(HOST + path) }))
  const sample = { visits: [], candidates: candidates.map((path) => ({ url: HOST + path, sources: [] })) }
  return chooseSubjectPages(named, sample).map((url) => url.slice(HOST.length))
}

describe("pages that are looked at for their subject", () => {
  it("are at most two for a subject, the shortest addresses first", () => {
    expect(chosen(["/api/v1/errors", "/errors", "/guides/errors"])).toEqual(["/errors", "/api/v1/errors"])
  })

  it("give each subject its first before any its second", () => {
    expect(chosen(["/errors", "/api/errors", "/webhooks"])).toEqual(["/errors", "/webhooks", "/api/errors"])
  })

  it("are at most ten", () => {
    const subjects = ["errors", "authentication", "rate-limits", "retries", "pagination", "webhooks", "sandbox", "changelog", "versioning", "glossary", "ai-agents", "mcp"]
    expect(chosen(subjects.map((subject) => `/${subject}`))).toHaveLength(10)
  })

  it("come from llms.txt, the sitemap or the base page first: a link in a text may be wrong", () => {
    expect(chosen(["/mcp", "/docs/tools/mcp"], ["/docs/tools/mcp"])).toEqual(["/docs/tools/mcp", "/mcp"])
  })

  it("are essays only after documentation", () => {
    expect(chosen(["/articles/mcp", "/docs/tools/search/mcp"])).toEqual(["/docs/tools/search/mcp", "/articles/mcp"])
    expect(chosen(["/articles/mcp", "/reference/tools/search/mcp"])).toEqual(["/articles/mcp", "/reference/tools/search/mcp"])
  })
})

describe("a name of a subject", () => {
  it.each([
    ["/docs/rate-limits", ["rate limits"]],
    ["/guides/cursor-based-pagination", ["pagination"]],
    ["/terms", ["glossary"]],
    ["/integrations/mcp", ["mcp"]]
  ])("%s", (path, subjects) => expect(subjectsNamed(HOST + path)).toEqual(subjects))

  it.each(["/integrations/cursor", "/customer-terms", "/orders"])("%s is none", (path) => expect(subjectsNamed(HOST + path)).toEqual([]))
})

import { describe, expect, it } from "vitest"
import { readerIn } from "../../../engine/text/languages/Vocabulary.ts"
import { chooseTopicPages } from "../../../engine/site/topics/TopicPages.ts"
import { topicsNamed } from "../../../engine/site/topics/TopicNames.ts"

const HOST = "https://docs.example.com"

/** What is chosen of these paths, none of which is in the sample; `candidates` could have been. */
const chosen = (paths: ReadonlyArray<string>, candidates: ReadonlyArray<string> = paths): ReadonlyArray<string> => {
  const named = paths.map((path) => ({ url: HOST + path, topics: topicsNamed(HOST + path) }))
  const sample = { visits: [], candidates: candidates.map((path) => ({ url: HOST + path, sources: [] })) }
  return chooseTopicPages(named, sample).map((url) => url.slice(HOST.length))
}

describe("pages that are looked at for their subject", () => {
  it("are at most two for a subject, the shortest addresses first", () => {
    expect(chosen(["/api/v1/errors", "/errors", "/guides/errors"])).toEqual(["/errors", "/api/v1/errors"])
  })

  it("give each subject its first before any its second", () => {
    expect(chosen(["/errors", "/api/errors", "/webhooks"])).toEqual(["/errors", "/webhooks", "/api/errors"])
  })

  it("are named by a segment, then by a link, then by their folder, before a name inside another name", () => {
    const urls = ["/order-history", "/zz/changelog/v2", "/zz/p7", "/zz/changelog-of-the-shop", "/zz/changelog"]
    const named = urls.map((path) => ({
      url: HOST + path,
      topics: topicsNamed(HOST + path, path === "/zz/p7" ? ["Changelog"] : ["Read this"])
    }))
    const candidates = named.map(({ url }) => ({ url, sources: [] }))
    const order = named
      .toSorted((one, other) => (one.topics.get("changelog") ?? 9) - (other.topics.get("changelog") ?? 9))
      .map(({ url }) => url.slice(HOST.length))
    expect(order).toEqual([
      "/zz/changelog",
      "/zz/p7",
      "/zz/changelog/v2",
      "/order-history",
      "/zz/changelog-of-the-shop"
    ])
    expect(chooseTopicPages(named, { visits: [], candidates })).toEqual([`${HOST}/zz/changelog`, `${HOST}/zz/p7`])
  })

  it("are those with the fewest words beside the subject, of names that have it inside", () => {
    expect(
      chosen(["/auth-chain-difference-algorithm", "/usage/administration/user-authentication", "/password-auth-module"])
    ).toEqual(["/usage/administration/user-authentication", "/password-auth-module"])
  })

  it("are those on authorization after others on authentication, since payments are authorized, too", () => {
    expect(chosen(["/card-authorization", "/authorization", "/get-your-first-access-tokens"])).toEqual([
      "/get-your-first-access-tokens",
      "/authorization"
    ])
  })

  it("come from llms.txt, the sitemap or the base page first: a link in a text may be wrong", () => {
    expect(chosen(["/mcp", "/docs/tools/mcp"], ["/docs/tools/mcp"])).toEqual(["/docs/tools/mcp", "/mcp"])
  })

  it("are essays only after documentation", () => {
    expect(chosen(["/articles/mcp", "/docs/tools/search/mcp"])).toEqual(["/docs/tools/search/mcp", "/articles/mcp"])
    expect(chosen(["/articles/mcp", "/reference/tools/search/mcp"])).toEqual([
      "/articles/mcp",
      "/reference/tools/search/mcp"
    ])
  })
})

describe("a name of a subject", () => {
  it.each([
    ["/docs/rate-limits", ["rate limits"]],
    ["/guides/cursor-based-pagination", ["pagination"]],
    ["/terms", ["glossary"]],
    ["/integrations/mcp", ["mcp"]],
    ["/reference/problems", ["errors"]],
    ["/appendix/errorcodes", ["errors"]]
  ])("%s", (path, topics) => expect([...topicsNamed(HOST + path).keys()]).toEqual(topics))

  it.each([
    ["/docs/fehlercodes", ["errors"]],
    ["/docs/limites-de-uso", ["rate limits"]],
    ["/docs/%E8%AA%8D%E8%A8%BC", ["authentication"]],
    ["/docs/versionshinweise", ["changelog"]],
    ["/docs/100%25", []]
  ])("%s in other languages", (path, topics) =>
    expect([...topicsNamed(HOST + path, [], readerIn("de", "es", "ja")).keys()]).toEqual(topics)
  )

  it.each([
    ["更新日志", ["changelog"]],
    ["Коды ошибок", ["errors"]],
    ["オーダーの取消に失敗した場合のエラーの見方と、サポートへの問い合わせの方法についての説明です", []]
  ])("the text of a link: %s", (text, topics) =>
    expect([...topicsNamed(`${HOST}/p/1`, [text], readerIn("ja", "ru", "zh")).keys()]).toEqual(topics)
  )

  it("is English unless the site's pages are in another language", () =>
    expect(topicsNamed(`${HOST}/docs/fehlercodes`).size).toBe(0))

  it.each(["/integrations/cursor", "/customer-terms", "/orders", "/reference/user-agent"])("%s is none", (path) =>
    expect(topicsNamed(HOST + path).size).toBe(0)
  )
})

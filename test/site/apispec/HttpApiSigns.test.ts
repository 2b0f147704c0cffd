import { describe, expect, it } from "vitest"
import type { FakeSite } from "../../../engine/testing/FakeSite.ts"
import { auditFakeSite } from "../../golden/AuditFakeSite.ts"

const TEXT = "Everything that the product does, in as many words as it takes to be a page and not a stub, and in one more sentence of the same kind."

const page = (title: string, more = ""): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${TEXT}</p>${more}</main></body></html>`

const code = (...lines: ReadonlyArray<string>): string => `<pre><code>${lines.join("\n")}</code></pre>`

const curl = (url: string): string => code(`curl -X POST ${url} -H 'X-Key: k'`)

interface Case {
  readonly name: string
  readonly url?: string
  readonly more?: string
  readonly title?: string
  readonly others?: FakeSite
}

const isWithoutApi = async ({ more = "", others = {}, title = "Quill", url = "https://quill.dev" }: Case): Promise<boolean> => {
  const { pathname } = new URL(url)
  const { reliability } = await auditFakeSite({ url, site: { [pathname]: page(title, more), ...others } })
  return reliability.flags.includes("no_http_api")
}

describe("a site without an HTTP API", () => {
  const libraries: ReadonlyArray<Case> = [
    { name: "a library that requests others in its examples", more: code("GET https://httpbin.org/get", "GET https://httpbin.org/ip", "POST https://httpbin.org/post", "DELETE https://api.elsewhere.org/users/1") },
    { name: "a fix of one path in the release notes", more: "<p>Encodes GET /test^path as GET /test%5Epath.</p>" },
    { name: "downloads", more: code("curl -sSL https://quill.dev/install.sh | sh", "curl -O https://quill.dev/a.tar.gz", "curl https://quill.dev/b.tar.gz") },
    { name: "one call of another product", more: curl("https://api.elsewhere.org/v1/users") },
    { name: "the reference of a library", title: "API reference" },
    { name: "a folder of generated reference", url: "https://quill.dev/apidocs" },
    {
      name: "a stub that says that it is not the product's API",
      more: '<a href="/openapi.json">OpenAPI</a>',
      others: { "/openapi.json": JSON.stringify({ openapi: "3.1.0", info: { title: "Quill", version: "1", description: "Quill is not an HTTP API. This document exists for discovery only." }, paths: { "/": { get: { responses: { 200: { description: "Website" } } } } } }) }
    }
  ]
  it.each(libraries)("is known by what does not suggest one: $name", async (one) => {
    expect(await isWithoutApi(one)).toBe(true)
  })

  const services: ReadonlyArray<Case> = [
    { name: "three operations of its own", more: code("GET /orders", "POST /orders", "GET /orders/{id}") },
    { name: "operations at full URLs of the site", more: code("GET https://api.quill.dev/orders", "POST https://api.quill.dev/orders", "GET https://api.quill.dev/orders/7") },
    { name: "three calls of a server that its users run", more: [1, 2, 3].map((id) => curl(`http://localhost:8080/v1/jobs/${id}`)).join("") },
    { name: "one call of the site itself", more: curl("https://api.quill.dev/v1/orders") },
    { name: "the name of the host", url: "https://api-docs.quill.dev" },
    { name: "the name of the folder", url: "https://quill.dev/user-api-doc" },
    { name: "the title, in Japanese", title: "注文API | Quill" },
    { name: "a kind of API in the title", title: "GraphQL API overview" }
  ]
  it.each(services)("is not what suggests one: $name", async (one) => {
    expect(await isWithoutApi(one)).toBe(false)
  })
})

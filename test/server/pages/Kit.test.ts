import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { assetPath } from "../../../server/pages/kit/Assets.ts"
import { startService, type TestService } from "../TestService.ts"

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const person = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }

describe("responses without a route", () => {
  it("are pages for people, with the status that programs get", async () => {
    const page = await service.ask("/nowhere", { headers: person })
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
    expect(await page.text()).toContain("<h1>Page not found</h1>")
    const json = await service.ask("/nowhere")
    expect([json.status, await json.json()]).toEqual([404, { error: "Nothing found at this URL.", code: "not_found" }])
  })

  it("name the allowed methods", async () => {
    const page = await service.ask("/openapi.json", { method: "DELETE", headers: person })
    expect([page.status, page.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"])
    expect(await page.text()).toContain("Allowed methods at this URL: GET, HEAD, OPTIONS.")
  })
})

describe("assets", () => {
  it("are immutable under the URL with their hash", async () => {
    const answer = await service.ask(assetPath("base.css"))
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
      200,
      "text/css; charset=utf-8",
      "public, max-age=31536000, immutable"
    ])
    const again = await service.ask(assetPath("base.css"), {
      headers: { "if-none-match": answer.headers.get("etag") ?? "" }
    })
    expect([again.status, again.headers.get("vary")]).toEqual([304, "Accept-Encoding"])
  })

  it("have the fonts that the style sheet names, and the icon at its usual path", async () => {
    const css = await (await service.ask(assetPath("base.css"))).text()
    const fonts = [...css.matchAll(/url\("([^"]+)"\)/g)].map(([, path = ""]) => path)
    expect(fonts).toEqual([assetPath("inter-400.woff2"), assetPath("inter-600.woff2")])
    const answers = await Promise.all(
      [...fonts, "/favicon.ico", assetPath("mark.svg"), assetPath("card.png")].map((path) => service.ask(path))
    )
    expect(answers.map(({ headers, status }) => [status, headers.get("content-type")])).toEqual([
      [200, "font/woff2"],
      [200, "font/woff2"],
      [200, "image/vnd.microsoft.icon"],
      [200, "image/svg+xml; charset=utf-8"],
      [200, "image/png"]
    ])
  })

  it("are not found by another hash, nor outside their folder", async () => {
    const statuses = await Promise.all(
      ["base-0000000000.css", "base.css", "..%2fkit%2fAssets.ts", "inter-400.woff", "favicon.ico"].map(
        async (file) => (await service.ask(`/assets/${file}`)).status
      )
    )
    expect(statuses).toEqual([404, 404, 404, 404, 404])
  })
})

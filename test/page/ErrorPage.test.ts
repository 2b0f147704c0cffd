import { describe, expect, it } from "vitest"
import { previewOfHtml, previewOfText, readsAsErrorPage, saysNotFound } from "../../engine/page/ErrorPage.ts"
import { answerOf, ORIGIN } from "../site/FakeContext.ts"
import { cpuMs } from "../harness/CpuTime.ts"

const html = (title: string, heading: string, body: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><nav>Home Docs API Blog</nav><main><h1>${heading}</h1>${body}</main></body></html>`

const LONG =
  "<p>The server answers so when the order that the path names is not one of yours. Check the identifier first.</p>".repeat(
    10
  )

describe("what is an error page", () => {
  it.each([
    [
      "a bare Markdown text",
      "404\\. Page not found\nSorry, but the page you're looking for might have been moved, renamed or deleted."
    ],
    ["one line of text", "404 page not found"],
    ["one line of text", "Not Found"],
    ["a JSON error", '{"error":{"code":404,"message":"Not found"}}'],
    ["a JSON error", '{"detail":"Not Found"}'],
    ["Markdown with a heading", "# Page not found (404)\n\nPlease use the links in the navigation bar."],
    [
      "a generator's page",
      html("Page Not Found | Example", "Page Not Found", "<p>We could not find what you were looking for.</p>")
    ],
    [
      "a page with a title for the site",
      html("Example API", "Page Not Found", "<p>Contact the owner of the site that linked you here.</p>")
    ],
    [
      "a web server's page",
      "<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr>nginx</body></html>"
    ],
    ["a theme's page", html("HTTPX", "404 - Not found", "")],
    ["a sentence", html("Oops!", "Sorry, we couldn’t find that page.", "<a href=/>Home</a>")],
    ["another language", html("Seite nicht gefunden", "Seite nicht gefunden", "<p>Zur Startseite</p>")],
    ["a sentence in German", html("Fehler", "Die angeforderte Seite wurde nicht gefunden.", "<p>Zur Startseite</p>")],
    ["a sentence in French", html("Oups", "Cette page n’existe pas", "<p>Retour</p>")],
    ["a sentence in Japanese", html("たなばん", "お探しのページは見つかりませんでした", "<p>トップへ</p>")],
    ["a sentence in Chinese", html("文档", "页面不存在", "<p>返回首页</p>")],
    ["a sentence in Russian", html("Теплица", "Такой страницы нет", "<p>На главную</p>")]
  ])("is %s", (_, text) => {
    expect(readsAsErrorPage(answerOf(`${ORIGIN}/x`, { body: text, type: "text/plain" }))).toBe(true)
  })
})

describe("what is none", () => {
  it.each([
    ["a page about the status", html("404 Not Found | API errors", "404 Not Found", LONG)],
    ["a page about an error of the API", html("Resource not found", "Resource not found", `<p>${LONG.slice(3, 600)}`)],
    ["a page about handling it", html("Handling 404 errors", "Handling 404 errors", "<p>Retry never helps.</p>")],
    [
      "a page about making one",
      html("Custom page not found pages", "Custom page not found pages", "<p>Put a 404.html in the folder.</p>")
    ],
    [
      "a page in German about it",
      html(
        "Seiten, die es nicht gibt",
        "Seiten, die es nicht gibt",
        "<p>Eine eigene Seite für 404 legen Sie im Ordner an.</p>"
      )
    ],
    ["a short page", html("Ping", "Ping", "<p>Answers 200, or 404 where the host is not found.</p>")],
    ["a list of errors in Markdown", "# Errors\n\n- 404: page not found\n- 429: too many requests\n"],
    [
      "llms.txt with a link about it",
      "# Example\n\n## Docs\n\n- [404 Not Found](https://docs.example.com/404.md): when there is no such order\n"
    ],
    ["nothing", ""]
  ])("is %s", (_, text) => {
    expect(readsAsErrorPage(answerOf(`${ORIGIN}/x`, { body: text, type: "text/plain" }))).toBe(false)
  })
})

describe("the preview of a document", () => {
  it("leaves navigation, scripts and further titles out", () => {
    const preview = previewOfHtml(
      "<title>One</title><svg><title>Icon</title></svg><header>Top</header><h1>A <b>b</b></h1><script>x()</script><p>Text</p>"
    )
    expect(preview).toEqual({ title: "One", heading: "A b", text: "A b\nText" })
  })

  it("gives up on depth, not on time", () => {
    const started = cpuMs()
    previewOfHtml(`<title>Deep</title>${"<b>".repeat(1_000_000)}`)
    saysNotFound(previewOfText("404 ".repeat(1_000_000)))
    expect(cpuMs() - started).toBeLessThan(5_000)
  })
})

import { describe, expect, test } from "vitest"
import { english, readerIn } from "../../../engine/text/languages/Vocabulary.ts"
import type { Exchange } from "../../../engine/evidence/Exchange.ts"
import type { Article } from "../../../engine/site/texts/Article.ts"
import { phrase } from "../../../plugins/d-content/Sentence.ts"
import { isAbout, lastSegment, passageOf, placesOf } from "../../../plugins/d-content/Topic.ts"
import { cpuMs } from "../../harness/CpuTime.ts"

const exchange: Exchange = {
  _tag: "Fault",
  asked: { method: "GET", url: "https://a.test/", accept: "*/*", agent: "docgauge" },
  url: "https://a.test/",
  kind: "budget",
  message: "",
  redirects: []
}

const limits = { called: phrase("rate[- ]?limit(?:s|ing)?", "authentication", "errors?"), spareWords: 2 }
const about = (text: string) => isAbout(text, limits, { names: new Set(["acme"]), reader: english })

describe("a heading is about a subject", () => {
  test.each([
    "Rate limits",
    "3. Rate limits¶",
    "6.2 Rate limiting of the search endpoint",
    "Acme API rate limits",
    "How do I handle rate limits?",
    "Authentication (OAuth)",
    "Basic authentication",
    "Step 2: Authorization/Authentication",
    "What are the rate limits for requests?"
  ])("%s", (heading) => expect(about(heading)).toBe(true))
})

describe("a heading is not", () => {
  test.each([
    "Octokit::Authentication",
    "httpx-errors",
    "#errors ⇒ Array<Hash>",
    "rate_limit",
    "$errors",
    "errors(client, id)",
    "acme.errors.list",
    "Authentication-free access",
    "How alternative search products approach rate limits compared to ours",
    "Frame rate",
    "x".repeat(200) + " errors"
  ])("%s", (heading) => expect(about(heading)).toBe(false))
})

describe("a heading in another language", () => {
  const errors = { ...limits, subject: "errors" as const, spareWords: 1 }
  const reader = readerIn("de", "es", "fr", "ja", "ko", "pt", "ru", "zh")
  const isForeign = (text: string) => isAbout(text, errors, { names: new Set(["acme"]), reader })

  test.each([
    "3. Fehlercodes der API",
    "Umgang mit Fehlern",
    "Fehler beim Anlegen",
    "Códigos de error",
    "¿Hay códigos de error disponibles?",
    "Quels codes d’erreur existe-t-il ?",
    "Lista de los errores",
    "Gestion des erreurs",
    "1.2 Codes d’erreur de l’API",
    "エラーコード一覧",
    "２．リクエストチェックエラー",
    "Acmeエラーについて",
    "오류 코드 안내",
    "주문 오류",
    "Erros da API",
    "Ошибки и коды ответов",
    "Общие ошибки запросов",
    "错误码说明",
    "常见错误码",
    "API エラー"
  ])("is about it: %s", (heading) => expect(isForeign(heading)).toBe(true))

  test.each([
    "Wie wir Fehler in unserer Buchhaltung finden",
    "注文の取消と返金に関するエラー報告書の提出",
    "订单支付退款流程与错误示例",
    "История одной ошибки нашего бухгалтера",
    "주문 취소 환불 절차와 오류 사례 모음"
  ])("has too many other words: %s", (heading) => expect(isForeign(heading)).toBe(false))
})

test.each([
  ["https://a.test/docs/%E8%AA%8D%E8%A8%BC", "認証"],
  ["https://a.test/100%", "100%"],
  ["https://a.test/docs/rate-limits/index.html", "rate limits"],
  ["https://a.test/docs/errors.html.md", "errors"],
  ["https://a.test/", ""],
  ["https://a.test/en/api_keys/", "api keys"]
])("%s ends in words", (url, words) => expect(lastSegment(url)).toBe(words))

test("a page of headings takes no time", () => {
  const started = cpuMs()
  const sections = Array.from({ length: 5_000 }, (_, index) => ({
    heading: "Errors",
    level: index % 6 === 0 ? (1 as const) : (2 as const),
    anchor: null,
    path: [],
    text: "404: no such order here"
  }))
  const article: Article = {
    kind: "aggregate",
    url: "https://a.test/llms-full.txt",
    exchange,
    title: "",
    lang: "",
    sections: [{ heading: "", level: 0, anchor: null, path: [], text: "" }, ...sections],
    codeBlocks: [],
    tables: [],
    definitions: [],
    times: []
  }
  const places = placesOf(
    {
      articles: [article],
      sampled: [],
      topicPages: [],
      known: 0,
      spec: null,
      names: new Set(),
      reader: english,
      isOwn: () => false,
      siteTitles: new Set(),
      tried: exchange
    },
    limits
  )
  expect(places).toHaveLength(5_000)
  for (const place of places) passageOf(place)
  expect(cpuMs() - started).toBeLessThan(2_000)
})

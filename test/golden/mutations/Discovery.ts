import { all, inAnswers, inFile, inHtml, inPages, withAnswers, without, withHeaders } from "./Break.ts"
import type { Mutation } from "./Mutation.ts"

const HOST = "https://docs.moorling-api.com"

const SHELL = { type: "text/html", body: '<!doctype html><title>Moorling</title><div id="root"></div>' }

const DEAD_LOCATIONS = Array.from(
  { length: 12 },
  (_, index) => `<url><loc>${HOST}/v2/reference/gone-${index}</loc><lastmod>2026-10-01</lastmod></url>`
).join("\n")

export const discoveryMutations: ReadonlyArray<Mutation> = [
  { name: "llms.txt is missing", breaks: inAnswers(without("/llms.txt")), costs: "A1" },
  { name: "llms.txt is a web page", breaks: inAnswers(withAnswers({ "/llms.txt": SHELL })), costs: "A1" },
  {
    name: "llms.txt has dead links",
    breaks: inAnswers(inFile("/llms.txt", (text) => text.replaceAll("/v2/reference/", "/v2/endpoints/"))),
    costs: "A1"
  },
  {
    name: "llms.txt has no heading for its lists",
    breaks: inAnswers(inFile("/llms.txt", (text) => text.replaceAll(/^## .*\n\n/gm, ""))),
    costs: "A1"
  },
  {
    name: "the full text is missing",
    breaks: inAnswers(
      all(
        without("/llms-full.txt"),
        inFile("/llms.txt", (text) => text.replace(/^- \[Full documentation\].*\n/m, ""))
      )
    ),
    costs: "A2"
  },
  { name: "the full text is a web page", breaks: inAnswers(withAnswers({ "/llms-full.txt": SHELL })), costs: "A2" },
  { name: "robots.txt is missing", breaks: inAnswers(without("/robots.txt")), costs: "A3" },
  {
    name: "robots.txt shuts everyone out",
    breaks: inAnswers(inFile("/robots.txt", (text) => text.replaceAll("Allow: /", "Disallow: /"))),
    costs: "A3"
  },
  {
    name: "robots.txt names no sitemap",
    breaks: inAnswers(withAnswers({ "/robots.txt": "User-agent: *\nAllow: /\n" })),
    costs: "A3"
  },
  { name: "the sitemap is missing", breaks: inAnswers(without("/sitemap.xml")), costs: "A4" },
  {
    name: "a third of the sitemap is dead",
    breaks: inAnswers(inFile("/sitemap.xml", (xml) => xml.replace("</urlset>", `${DEAD_LOCATIONS}\n</urlset>`))),
    costs: "A4"
  },
  {
    name: "the sitemap leaves out the reference",
    breaks: inAnswers(inFile("/sitemap.xml", (xml) => xml.replaceAll(/ *<url><loc>[^<]*\/reference\/.*\n/g, ""))),
    costs: "A4"
  },
  {
    name: "pages announce nothing",
    breaks: inAnswers(
      all(
        inPages((response) => withHeaders(response, { link: null })),
        inHtml((html) =>
          html
            .replace(/ *<link rel="(?:alternate|service-desc)".*\n/g, "")
            .replace(/ For agents: <a href="\/llms\.txt">llms\.txt<\/a>/, "")
        )
      )
    ),
    costs: "A5"
  }
]

import { pathToFileURL } from "node:url"
import { join } from "node:path"
import { parseLastmod, parseSitemap } from "../../../engine/site/wellknown/SitemapDocument.ts"
import { randomFrom, type Suite } from "../Suite.ts"

interface Written {
  readonly url: string
  readonly lastmod?: string
}

interface ItemStream {
  readonly write: (item: Written) => boolean
  readonly end: () => void
}

interface Writer {
  readonly SitemapStream: new (options: { readonly hostname: string }) => ItemStream
  readonly streamToPromise: (stream: ItemStream) => Promise<Buffer>
}

const COUNT = 1_000

/** Sitemaps that the npm package sitemap writes, read here: every location and every date again. */
export const sitemapWriter: Suite = {
  name: "Sitemaps: written by sitemap",
  npm: { sitemap: "8.0.0" },
  run: async (packages) => {
    const { SitemapStream, streamToPromise }: Writer = await import(
      pathToFileURL(join(packages.npm("sitemap"), "dist/index.js")).href
    )
    const random = randomFrom(9)
    const differences: Array<string> = []
    for (let number = 0; number < COUNT; number++) {
      const written = Array.from({ length: 1 + random(8) }, (_, page): Written => {
        const url = `https://docs.example.com/${["a", "ü", "x&y", "it's", "<b>", "日本", "%20", "q?a=1&b=2"][random(8)] ?? ""}/${page}`
        return random(2) === 0
          ? { url }
          : { url, lastmod: new Date(Date.UTC(2020 + random(7), random(12), 1 + random(28))).toISOString() }
      })
      const stream = new SitemapStream({ hostname: "https://docs.example.com" })
      const text = streamToPromise(stream)
      for (const each of written) stream.write(each)
      stream.end()
      const { locations, malformed } = parseSitemap((await text).toString(), 50_000)
      const found = locations.map(({ lastmod, loc }) => `${new URL(loc).href} ${parseLastmod(lastmod)}`)
      const expected = written.map(({ lastmod, url }) => `${new URL(url).href} ${lastmod?.slice(0, 10) ?? null}`)
      if (malformed > 0 || found.join("\n") !== expected.join("\n"))
        differences.push(`${expected.join(", ")} read as ${found.join(", ")}`)
    }
    return { cases: COUNT, differences }
  },
  explained: []
}

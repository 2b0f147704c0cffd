import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type FakeAnswer, FAKE_HOST, type FakeSite, layerFakeSite } from "../../../engine/testing/FakeSite.ts"
import { auditOver } from "../AuditOver.ts"

const WORDS = "alpha bravo charlie delta echoes foxtrot golfing hotel india juliett kilos limas mikes november".split(
  " "
)

/** Words that no other page has. */
export const wordsOf = (n: number): string => WORDS.map((word) => `${word}${n}`).join(" ")

/** A page whose text is its own. */
export const page = (n: number, more = ""): string =>
  `<!doctype html><html lang="en"><title>Part ${n}</title><main><h1>Part ${n}</h1><p>${wordsOf(n)}. ${wordsOf(n)}.</p>${more}</main></html>`

/** 1 to `count`. */
export const numbers = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, n) => n + 1)

export const linksTo = (paths: ReadonlyArray<string>): string =>
  paths.map((path) => `<a href="${path}">${path}</a>`).join(" ")

/** The first page, at `/` unless said otherwise, which links to all others, and the others. */
export const siteOf = (paths: ReadonlyArray<string>, more = "", first = "/"): Record<string, FakeAnswer> => ({
  [first]: page(0, linksTo(paths) + more),
  ...Object.fromEntries(paths.map((path, at) => [path, page(at + 1)]))
})

/** A sitemap, or an index of sitemaps, of paths on the fake host. */
export const listing = (name: string, tag: string, paths: ReadonlyArray<string>): string =>
  `<${name} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<${tag}><loc>${FAKE_HOST}${path}</loc></${tag}>`).join("")}</${name}>`

/** A whole audit of a fake site from `path` on `host`: the URLs that it asked for, sorted, and what it left out. */
export const audited = (site: FakeSite, path = "", host = FAKE_HOST) =>
  Effect.runPromise(
    Effect.map(auditOver(layerFakeSite(site, { host }), host + path), ({ result }) => {
      const { journal, report } = Result.getOrThrow(result)
      const asked = journal.map(({ request }) => request.asked.url.replace(host, ""))
      const factsOf = (id: string) => report.criteria.find((criterion) => criterion.id === id)?.measured.facts
      return { asked, factsOf, signals: report.signals, skipped: report.reliability.skipped }
    })
  )

/** The answers as a part of a fake site, by path or URL. */
export const answersAt = (
  places: ReadonlyArray<string>,
  answer: (place: string, at: number) => FakeAnswer
): Record<string, FakeAnswer> => Object.fromEntries(places.map((place, at) => [place, answer(place, at)]))

/** Of these places, those that were not asked for. */
export const unasked = (asked: ReadonlyArray<string>, places: ReadonlyArray<string>): ReadonlyArray<string> =>
  places.filter((place) => !asked.includes(place))

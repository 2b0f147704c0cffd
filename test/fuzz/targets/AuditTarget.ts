import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Result from "effect/Result"
import { type FakeAnswer, type FakeSite, layerFakeSite } from "../../../engine/testing/FakeSite.ts"
import { auditOver } from "../../audit/AuditOver.ts"
import { goldenSites } from "../../golden/GoldenSites.ts"
import { type FuzzTarget, holds } from "../Target.ts"

/** The input is on every page of the sample, and is compared with itself: for 256 KB that takes up to 4 s. */
const SLOW_MS = 12_000

const LIMITS = { retriesPerAudit: 0, requests: 80 }

/** Where the input is served from: what it is like decides who reads it. */
const PLACES: Readonly<Record<string, ReadonlyArray<string>>> = {
  html: ["/*"],
  markdown: ["/*.md", "/llms-full.txt", "/AGENTS.md"],
  llms: ["/llms.txt"],
  robots: ["/robots.txt"],
  xml: ["/sitemap.xml"],
  json: ["/openapi.json", "/.well-known/api-catalog", "/mcp"],
  yaml: ["/openapi.yaml"],
  graphql: ["/schema.graphql"]
}

/** The golden site with the input at those of its addresses, and in the middle of every page. */
const siteWith = (site: FakeSite, host: string, base: string, kind: string, text: string): FakeSite => {
  const own: Record<string, FakeAnswer> = { ...site }
  for (const place of PLACES[kind] ?? []) {
    if (place === "/*") {
      for (const [path, answer] of Object.entries(site)) {
        const body =
          typeof answer === "string"
            ? answer
            : typeof answer === "object" && "body" in answer && typeof answer.body === "string"
              ? answer.body
              : null
        if (body !== null && /<\/(?:main|article|p)>/.test(body))
          own[path] = body.replace(/(?=<\/(?:main|article|p)>)/, () => text)
      }
    } else if (place === "/*.md") {
      for (const path of Object.keys(site)) if (/\.mdx?$/.test(path)) own[path] = text
    } else {
      own[place] = text
      own[base.slice(host.length) + place] = text
    }
  }
  return own
}

const auditWith =
  (kind: keyof typeof PLACES) =>
  async (bytes: Uint8Array): Promise<void> => {
    const golden = goldenSites[(bytes[0] ?? 0) % goldenSites.length]
    if (golden === undefined) return
    const { origin } = new URL(golden.url)
    const site = siteWith(golden.site, origin, golden.url, kind, new TextDecoder().decode(bytes))
    const failures: Array<string> = []
    const logger = Logger.layer([
      Logger.map(Logger.formatLogFmt, (line) => {
        if (line.includes("failed")) failures.push(line)
      })
    ])
    const { result, text } = await Effect.runPromise(
      Effect.provide(
        auditOver(layerFakeSite(site, { host: origin }), golden.url, { limits: LIMITS, sampleSize: 8 }),
        logger
      )
    )
    holds(`no plugin fails: ${failures[0]?.slice(0, 2_000)}`, failures.length === 0)
    holds("a report can be encoded", text.length > 0)
    if (Result.isSuccess(result)) structuredClone(result.success.report)
  }

/** Whole audits, all plugins: a golden site in which the input takes the place of one file, or goes into every page. */
export const auditTargets: ReadonlyArray<FuzzTarget> = (
  ["html", "markdown", "llms", "robots", "xml", "json", "yaml", "graphql"] as const
).map((kind) => ({ name: `audit, ${kind}`, kinds: [kind] as const, slowMs: SLOW_MS, read: auditWith(kind) }))

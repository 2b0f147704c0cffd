import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { rescoreRun } from "../../engine/audit/compare/Rescore.ts"
import type { StoredReport } from "../../engine/audit/StoredRun.ts"
import { type Archive, openArchive, replay } from "../../engine/evidence/archive/Replay.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { type FakeSite, layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { readUnbound } from "../../engine/rubric/RubricFile.ts"
import { goldenSites } from "../golden/GoldenSites.ts"
import { type Audited, auditOver, RUBRIC_BYTES, rubric } from "./AuditOver.ts"

const KB = 1024

/** Text that compression shortens by a quarter at most, the same for the same seed. */
const noise = (bytes: number, seed: string): string =>
  createHash("shake256", { outputLength: Math.ceil(bytes * 0.75) })
    .update(seed)
    .digest("base64")
    .slice(0, bytes)

const live = (site: FakeSite, url: string): Promise<Audited> =>
  Effect.runPromise(auditOver(layerFakeSite(site, { host: new URL(url).origin }), url))

/** The archive of an audit, cut so that it is no larger than a share of what it would be, or by that number of bytes less. */
const cutArchive = async (audited: Audited, mostBytes: (whole: number) => number): Promise<Archive> => {
  const whole = await Effect.runPromise(audited.archive)
  const bytes = await Effect.runPromise(audited.archiveWithin(mostBytes(whole.length)))
  expect(bytes.length).toBeLessThanOrEqual(mostBytes(whole.length))
  return Effect.runPromise(openArchive(bytes))
}

const reportOf = ({ result }: Audited) => {
  const { report } = Result.getOrThrow(result)
  return report
}

describe.each(goldenSites.filter(({ name }) => ["typical", "client-rendered", "hostile"].includes(name)))(
  "the archive of the $name site",
  ({ site, url }) => {
    it("gives the same report where only what no criterion reads was cut", { timeout: 120_000 }, async () => {
      // Some pages that do not exist answer with more than is read of an error page.
      const missing: FakeSite = {
        ...site,
        "/": site["/"] ?? site["*"] ?? "",
        "*": ({ url }) => ({
          status: 404,
          type: "text/html",
          body: `<title>Not found</title><p>${noise(url.includes("/llms") ? 800 * KB : KB, url)}`
        })
      }
      const audited = await live(missing, url)
      const archive = await cutArchive(audited, (whole) => whole - 100 * KB)
      const hops = await Effect.runPromise(
        Effect.forEach(archive.asked, (asked) => archive.send({ asked, limitBytes: 20_000 * KB }))
      )
      expect(hops.some((hop) => hop._tag === "HopAnswer" && hop.bodyBytes !== undefined)).toBe(true)
      expect((await Effect.runPromise(auditOver(replay(archive), url))).text).toBe(audited.text)
    })
  }
)

describe("a replay of an archive whose evidence was cut", () => {
  // Each file of the sites is small: padded, so that there is something to cut in each.
  const padded = (site: FakeSite): FakeSite =>
    Object.fromEntries(
      Object.entries(site).map(([path, answer]) => {
        if (
          typeof answer !== "object" ||
          answer instanceof Uint8Array ||
          typeof answer.body !== "string" ||
          !answer.body.includes("</body>")
        )
          return [path, answer]
        return [path, { ...answer, body: answer.body.replace("</body>", `<!-- ${noise(40 * KB, path)} --></body>`) }]
      })
    )

  it.each(goldenSites.slice(0, 2).flatMap((golden) => [0.97, 0.7].map((share) => ({ ...golden, share }))))(
    "finds every criterion of the $name site as it was, or inconclusive: $share of the size",
    { timeout: 60_000 },
    async ({ share, site, url }) => {
      const audited = await live(padded(site), url)
      const archive = await cutArchive(audited, (whole) => Math.floor(whole * share))
      const replayed = await Effect.runPromise(auditOver(replay(archive), url))
      if (Result.isFailure(replayed.result)) return expect(share).toBeLessThan(0.9)
      const before = new Map(reportOf(audited).criteria.map((result) => [result.id, result.status]))
      const changed = reportOf(replayed).criteria.filter(({ id, status }) => before.get(id) !== status)
      expect(changed.length).toBeGreaterThan(0)
      expect(changed.filter(({ status }) => status !== "inconclusive")).toEqual([])
    }
  )

  it("is not what rescore compares with: it says what the archive lacks", { timeout: 120_000 }, async () => {
    const [golden] = goldenSites
    if (golden === undefined) throw new Error("there are no golden sites")
    const audited = await live(padded(golden.site), golden.url)
    const archive = await cutArchive(audited, (whole) => Math.floor(whole * 0.9))
    const loaded = await rubric
    const earlier = new Map([
      [loaded.digest, { rubric: Effect.runSync(readUnbound(RUBRIC_BYTES, "rubric.yaml")), loaded }]
    ])
    const rescore = (report: StoredReport | null) =>
      Effect.runPromise(
        rescoreRun({ name: "cut", report, archive: Effect.succeed(archive) }, { rubric: loaded, earlier }).pipe(
          Effect.provide(ParserPool.layerInline)
        )
      )
    expect(await rescore(null)).toMatchObject({
      _tag: "NotComparable",
      reason: expect.stringMatching(/its archive was cut to its size limit: it lacks part of what [A-F]\d.* read/u)
    })

    const report = reportOf(audited)
    const remeasured = {
      ...report,
      criteria: report.criteria.map((result) => ({ ...result, measured: { ...result.measured, revision: 0 } }))
    }
    expect(await rescore(remeasured)).toMatchObject({
      _tag: "NotComparable",
      reason: expect.stringMatching(/its archive was cut to its size limit: it lacks part of what [A-F]\d.* read/u)
    })
    expect(await rescore(report)).toMatchObject({ _tag: "Rescored", replayed: false })
  })
})

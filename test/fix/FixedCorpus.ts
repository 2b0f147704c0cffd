import { existsSync } from "node:fs"
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { type AuditRequest, runInfoOf } from "../../engine/audit/AuditRequest.ts"
import { writeArchive } from "../../engine/evidence/archive/Recording.ts"
import { openArchive, replay } from "../../engine/evidence/archive/Replay.ts"
import { defaultLimits, FetchLimits, limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import { type FixOutcome, fixSite } from "../../engine/fix/Fix.ts"
import { WHOLE_SITE } from "../../engine/fix/open/OpeningCost.ts"
import { headersText } from "../../engine/fix/hosts/EdgeFunction.ts"
import { charsetOfHtml } from "../../engine/evidence/BodyText.ts"
import { withHead } from "../../engine/fix/overlay/HeadInsertion.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { corpusRequest, runCorpusAudit } from "../corpus/AuditCorpusSite.ts"
import { type CorpusServer, serveCorpus, type ServeOptions } from "../corpus/CorpusServer.ts"
import { type CorpusSite, corpusSites } from "../corpus/CorpusSites.ts"
import { transportTo } from "../harness/LoopbackTransport.ts"

/** A site of the corpus: fixed by docgauge, and then audited as it is served with the files in place. */
export interface FixedSite {
  readonly site: string
  readonly outcome: FixOutcome
  readonly served: AuditReport
  /** A second run over the site with the files in place. */
  readonly again: FixOutcome
}

const OPTIONS = { only: null, ai: "search-only", host: "nginx" } as const

const WITHOUT_REPORT = new Set(["parallel-md", "asiai"])

/** Fixes sites of the corpus, publishes each by the corpus' own server, and audits it again. `only`: all where it is left out. */
export const fixCorpus = (
  rubric: AuditRequest["rubric"],
  only?: ReadonlyArray<string>
): Promise<ReadonlyArray<FixedSite>> =>
  inTurn(sitesOf(only), async (site) =>
    published(rubric, site, await alone(site, (server) => fixed(server, site, rubric)))
  )

const sitesOf = (only?: ReadonlyArray<string>): ReadonlyArray<CorpusSite> =>
  corpusSites().filter(({ site }) => (only?.includes(site) ?? true) && !WITHOUT_REPORT.has(site))

/** Each site is served alone: two of them share a host, and so would share its robots.txt. */
const alone = async <A>(
  { site }: CorpusSite,
  use: (server: CorpusServer) => Promise<A>,
  options: Omit<ServeOptions, "only"> = {}
): Promise<A> => onServer(await serveCorpus({ ...options, only: [site] }), use)

const published = (rubric: AuditRequest["rubric"], site: CorpusSite, outcome: FixOutcome): Promise<FixedSite> =>
  whilePublished(site, outcome, async (server) => {
    const again = await fixed(server, site, rubric)
    return { site: site.site, outcome, served: again.before, again }
  })

const whilePublished = <A>(
  site: CorpusSite,
  outcome: FixOutcome,
  use: (server: CorpusServer) => Promise<A>
): Promise<A> =>
  alone(site, use, {
    // The server that negotiates Markdown, if a rule for that was written.
    ...((outcome.fixes.rules?.rewrites.length ?? 0) === 0 ? {} : { fault: "neg" }),
    prepare: (folder) => publishAt(folder, site.site, outcome)
  })

/** Fixes sites of the corpus, and uses each while it is served with the files in place. */
export const eachFixed = <A>(
  rubric: AuditRequest["rubric"],
  use: (server: CorpusServer, site: CorpusSite, outcome: FixOutcome) => Promise<A>,
  only?: ReadonlyArray<string>
): Promise<ReadonlyArray<A>> =>
  inTurn(sitesOf(only), async (site) => {
    const outcome = await alone(site, (server) => fixed(server, site, rubric))
    return whilePublished(site, outcome, (server) => use(server, site, outcome))
  })

/**
 * Fixes sites of the corpus from archives of their audits, without the network, publishes what was written, and audits them again: what was
 * promised must not be more than what came.
 */
export const fixCorpusArchives = async (
  rubric: AuditRequest["rubric"],
  only?: ReadonlyArray<string>
): Promise<ReadonlyArray<FixedSite>> => {
  const folder = await mkdtemp(join(tmpdir(), "docgauge-archives-"))
  const all = await inTurn(sitesOf(only), async (site) =>
    published(rubric, site, await alone(site, (server) => fixedFromArchive(server, site, rubric, folder)))
  )
  await rm(folder, { recursive: true })
  return all
}

const fixedFromArchive = (
  server: CorpusServer,
  { site, url }: CorpusSite,
  rubric: AuditRequest["rubric"],
  folder: string
): Promise<FixOutcome> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const request = corpusRequest(url, rubric)
      const path = join(folder, `${site}.warc.gz`)
      const { journal } = yield* runCorpusAudit(server, request)
      yield* writeArchive(path, runInfoOf(request, defaultLimits, userAgents("0.0.0", null)), journal)
      const archive = yield* openArchive(path)
      return yield* fixSite({ audit: request, options: OPTIONS, isLive: false, pages: null }).pipe(
        Effect.provide(Layer.mergeAll(replay(archive), ParserPool.layer))
      )
    })
  )

const onServer = async <A>(server: CorpusServer, use: (server: CorpusServer) => Promise<A>): Promise<A> => {
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}

const inTurn = async <A, B>(items: ReadonlyArray<A>, use: (item: A) => Promise<B>): Promise<ReadonlyArray<B>> => {
  const all: Array<B> = []
  for (const item of items) all.push(await use(item))
  return all
}

const fixed = (server: CorpusServer, { url }: CorpusSite, rubric: AuditRequest["rubric"]): Promise<FixOutcome> =>
  Effect.runPromise(
    fixSite({
      audit: corpusRequest(url, rubric),
      options: OPTIONS,
      isLive: true,
      pages: WHOLE_SITE,
      onlyWhole: true
    }).pipe(
      Effect.provide(
        Layer.mergeAll(transportTo(server).pipe(Layer.provide(Layer.succeed(FetchLimits, SENT))), ParserPool.layer)
      )
    )
  )

/** All that is sent and received for a whole site. */
const SENT = limitsWith({
  requests: defaultLimits.requests + 6 * WHOLE_SITE,
  auditBytes: 4 * defaultLimits.auditBytes,
  gatherMs: 1_000_000
})

/** The site at the root of its host, so that files beside its folder can be served, too. */
const publishAt = async (folder: string, site: string, outcome: FixOutcome): Promise<void> => {
  const provenance = join(folder, "provenance.tsv")
  const lines = (await readFile(provenance, "utf8")).split("\n").map((line) => line.split("\t"))
  const fields = lines.find(([name]) => name === site) ?? []
  const base = (fields[6] ?? "").replace(/\/$/, "")
  const root = join(folder, "sites", site)
  if (base !== "") {
    await rename(root, `${root}.moved`)
    await mkdir(dirname(join(root, base)), { recursive: true })
    await rename(`${root}.moved`, join(root, base))
    fields[6] = ""
  }
  await publish(root, join(root, base), outcome)
  await writeFile(provenance, lines.map((fields) => fields.join("\t")).join("\n"))
}

const publish = async (root: string, site: string, { fixes }: FixOutcome): Promise<void> => {
  for (const { path, text } of fixes.files) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  for (const { text, url } of fixes.heads) {
    const path = join(root, decodeURIComponent(new URL(url).pathname))
    const file = [path, join(path, "index.html"), `${path}.html`].find(
      (one) => existsSync(one) && !one.endsWith("/") && /\.html?$/.test(one)
    )
    if (file === undefined) continue
    const page = await readFile(file)
    const body = withHead(page, text, charsetOfHtml(page, ""))
    if (body !== null) await writeFile(file, body)
  }
  if (fixes.rules === null) return
  const own = await readFile(join(site, "_headers"), "utf8").catch(() => "")
  await writeFile(join(root, "_headers"), own)
  await appendFile(join(root, "_headers"), `\n${headersText(fixes.rules)}`)
}

/** Points by criterion. */
export const scoresOf = ({ criteria }: AuditReport): ReadonlyMap<string, number> =>
  new Map(criteria.map(({ id, score }) => [id, score]))

/** Criteria that the second report judges lower than the first, as `D7 2 -> 1`. */
export const falls = (before: AuditReport, after: AuditReport): ReadonlyArray<string> =>
  before.criteria.flatMap(({ id, score }) => {
    const then = scoresOf(after).get(id) ?? 0
    return then < score ? [`${id} ${score} -> ${then}`] : []
  })

/** Criteria that two reports judge differently, with what the second saw. */
export const differences = (promised: AuditReport, served: AuditReport): ReadonlyArray<string> =>
  promised.criteria.flatMap(({ id, score, summary }) => {
    const other = served.criteria.find((criterion) => criterion.id === id)
    return other?.score === score
      ? []
      : [`${id}: promised ${score} (${summary}), came ${other?.score} (${other?.summary})`]
  })

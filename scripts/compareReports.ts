/**
 * `node scripts/compareReports.ts record OUT_DIR [CORPUS_DIR]` audits every golden site and every site of the corpus with the
 * code of this checkout and writes one report per site. `node scripts/compareReports.ts compare A_DIR B_DIR` prints the
 * differences, except texts, versions and the rubric's digest, and exits with 1 if there are any.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { auditCorpusSite } from "../test/corpus/AuditCorpusSite.ts"
import { CORPUS, serveCorpus } from "../test/corpus/CorpusServer.ts"
import { type CorpusSite, corpusSites } from "../test/corpus/CorpusSites.ts"
import { auditFakeSite } from "../test/golden/AuditFakeSite.ts"
import { goldenSites } from "../test/golden/GoldenSites.ts"

const USAGE = "usage: node scripts/compareReports.ts record OUT_DIR [CORPUS_DIR] | compare A_DIR B_DIR"

/** What may differ: wording, versions, and the digest of the rubric that holds the wording. */
const TEXT =
  /^(engine_version|rubric\.(version|digest)|categories\.\w+\.title|(criteria|experimental)\.\w+\.(title|summary|evidence\.\d+\.note|remedy\.steps\.\d+)|message)$/

const record = async (folder: string, corpus: string): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  const write = (site: string, outcome: unknown): void => {
    writeFileSync(join(folder, `${site}.json`), `${JSON.stringify(outcome, null, 2)}\n`)
    process.stderr.write(`${site}\n`)
  }
  for (const golden of goldenSites) write(`golden-${golden.name}`, await auditFakeSite(golden))
  const server = await serveCorpus({ corpus })
  const auditOne = Effect.fn("auditOne")(function* ({ site, url }: CorpusSite) {
    const outcome = yield* Effect.result(auditCorpusSite(server, url))
    write(
      site,
      Result.isSuccess(outcome) ? outcome.success : { failure: outcome.failure._tag, message: outcome.failure.message }
    )
  })
  try {
    await Effect.runPromise(Effect.forEach(corpusSites(corpus), auditOne, { concurrency: 2, discard: true }))
  } finally {
    await server.stop()
  }
}

/** Every value of a report by its path; criteria by their ids. */
const valuesOf = (
  value: unknown,
  path: ReadonlyArray<string> = []
): ReadonlyArray<readonly [path: string, value: string]> => {
  if (typeof value !== "object" || value === null) return [[path.join("."), JSON.stringify(value)]]
  const entries = Object.entries(value)
  if (entries.length === 0) return [[path.join("."), Array.isArray(value) ? "[]" : "{}"]]
  return entries.flatMap(([key, inner]) => {
    const name =
      Array.isArray(value) && typeof inner === "object" && inner !== null && "id" in inner ? String(inner.id) : key
    return valuesOf(inner, [...path, name])
  })
}

const readReport = (folder: string, file: string): ReadonlyMap<string, string> =>
  new Map(valuesOf(JSON.parse(readFileSync(join(folder, file), "utf8"))).filter(([path]) => !TEXT.test(path)))

/** One line per difference: site, criterion and field, old and new value. */
const differencesOf = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>
): ReadonlyArray<string> => {
  const changed = [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
    const [was = "nothing", is = "nothing"] = [before.get(path), after.get(path)]
    return was === is ? [] : [`${path}: ${was} -> ${is}`]
  })
  if (changed.length > 0 || [...before.keys()].join("\n") === [...after.keys()].join("\n")) return changed
  return ["the order of its fields"]
}

const compare = (one: string, other: string): void => {
  const [before, after] = [one, other].map((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort()
  )
  const files = [...new Set([...(before ?? []), ...(after ?? [])])]
  const differences = files.flatMap((file) => {
    const site = file.replace(/\.json$/, "")
    if (!before?.includes(file) || !after?.includes(file))
      return [`${site}: only in ${before?.includes(file) ? one : other}`]
    return differencesOf(readReport(one, file), readReport(other, file)).map((difference) => `${site} ${difference}`)
  })
  for (const difference of differences) console.log(difference)
  console.log(`${files.length} sites, ${differences.length} differences`)
  process.exitCode = files.length > 0 && differences.length === 0 ? 0 : 1
}

const [, , command, one, other] = process.argv
if (command === "record" && one !== undefined) await record(one, other ?? CORPUS)
else if (command === "compare" && one !== undefined && other !== undefined) compare(one, other)
else throw new Error(USAGE)

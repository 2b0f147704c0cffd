/**
 * `npm run record:facts -- ARCHIVES [OUT]` measures the sites of a folder of archives (`scripts/recordSites.ts` records them) by
 * rubric.yaml and writes their facts and statuses to OUT (test/corpus/facts.json), for `docgauge rescore --from`. Nothing of
 * a page is in them. An archive that gives no report is named and left out; those of the golden sites, which are made up, are skipped.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { FactsFile } from "../../engine/audit/compare/FactsFile.ts"
import { replayRun } from "../../engine/audit/StoredRun.ts"
import { openArchive } from "../../engine/evidence/archive/Replay.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"
import { goldenSites } from "../../test/golden/GoldenSites.ts"
import { encodeFacts, factsOf, type NamedReport } from "./WriteFacts.ts"

const ROOT = resolve(import.meta.dirname, "../..")
const [folder, out = join(ROOT, "test/corpus/facts.json")] = process.argv.slice(2)
if (folder === undefined) throw new Error("usage: npm run record:facts -- ARCHIVES [OUT]")

const path = join(ROOT, "rubric.yaml")
const rubric = await Effect.runPromise(loadRubric(readFileSync(path), path, plugins))

const ARCHIVE = /\.warc\.gz$/u

const measured = Effect.fn("measured")(function* (file: string) {
  const archive = yield* Effect.mapError(openArchive(join(folder, file)), ({ message }) => message)
  const { cut, lacking, report } = yield* replayRun(archive, rubric)
  const wanting = [...new Set([...cut, ...lacking.keys()])]
  return wanting.length === 0
    ? report
    : yield* Effect.fail(`the archive lacks what ${wanting.join(", ")} read, so the site must be recorded again`)
})

const golden = new Set(goldenSites.map(({ name }) => `${name}.warc.gz`))
const files = readdirSync(folder)
  .filter((file) => ARCHIVE.test(file) && !golden.has(file))
  .sort()

const reports = await Effect.runPromise(
  Effect.forEach(files, (file) =>
    Effect.match(measured(file), {
      onFailure: (reason): ReadonlyArray<NamedReport> => {
        process.stderr.write(`${file}: ${reason}\n`)
        return []
      },
      onSuccess: (report): ReadonlyArray<NamedReport> => [{ name: file.replace(ARCHIVE, ""), report }]
    })
  ).pipe(Effect.provide(ParserPool.layer))
)
const facts = Schema.encodeSync(FactsFile)(await Effect.runPromise(factsOf(reports.flat())))
writeFileSync(out, encodeFacts(facts))
process.stdout.write(`${out}: the facts of ${facts.sites.length} of ${files.length} archives\n`)

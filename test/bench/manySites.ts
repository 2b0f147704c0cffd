/**
 * `node test/bench/manySites.ts [ROUNDS]`: audits twenty sites of the corpus by one `docgauge.yaml`, 50 ms added to each answer, and each of them
 * alone. Prints wall time beside what bounds it: the longest alone, and the processor time shared by the cores. Needs ../shared/corpus and `npm run build`.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { LARGE, startBenchServer } from "./data/BenchServer.ts"
import { type MeasuredRun, measureRun } from "./measure/MeasuredRun.ts"
import { median } from "./measure/Spread.ts"
import { seconds, table } from "./measure/Table.ts"

const SITES = 20
/** Exit code where a site could not be audited: it would end too early to count. */
const NOT_AUDITED = 3
const PROGRAM = join(import.meta.dirname, "../../dist/docgauge.cjs")
const rounds = Number(process.argv[2] ?? 5)

const folder = await mkdtemp(join(tmpdir(), "docgauge-many-"))
const config = join(folder, "docgauge.yaml")
const server = await startBenchServer()

/** Audits sites by their names: those of one host would share its six requests at once. */
const audit = async (slugs: ReadonlyArray<string>): Promise<MeasuredRun> => {
  await writeFile(config, `sites:\n${slugs.map((slug) => `  - url: http://${slug}.test\n`).join("")}`)
  return measureRun(PROGRAM, [
    "--config",
    config,
    "--quiet",
    "--allow-http",
    "--resolve",
    `*:80:127.0.0.1:${server.port}`
  ])
}

try {
  const alone: Array<{ readonly slug: string; readonly wallMs: number }> = []
  for (const { slug } of server.sites) {
    if (alone.length === SITES || slug === LARGE) continue
    const runs = [await audit([slug]), await audit([slug]), await audit([slug])]
    if (runs.every(({ exitCode }) => exitCode !== NOT_AUDITED))
      alone.push({ slug, wallMs: median(runs.map(({ wallMs }) => wallMs)) })
  }
  const together: Array<MeasuredRun> = []
  for (let round = 0; round < rounds; round++) together.push(await audit(alone.map(({ slug }) => slug)))
  const wall = median(together.map(({ wallMs }) => wallMs))
  const share = median(together.map(({ cpuMs }) => cpuMs)) / availableParallelism()
  const [longest] = alone.toSorted((one, other) => other.wallMs - one.wallMs)
  const longestMs = longest?.wallMs ?? 0
  const ratio = wall / Math.max(longestMs, share)
  console.log(
    table(
      ["sites at once", "wall", "longest alone", "processor time ÷ cores", "ratio", "peak MB"],
      [
        [
          String(alone.length),
          seconds(wall),
          `${seconds(longestMs)} (${longest?.slug ?? "-"})`,
          seconds(share),
          ratio <= 1.3 ? `${ratio.toFixed(2)} ≤ 1.3` : `${ratio.toFixed(2)} > 1.3 ✗`,
          String(Math.round(median(together.map(({ peakBytes }) => peakBytes)) / 1e6))
        ]
      ]
    )
  )
} finally {
  await server.stop()
  await rm(folder, { recursive: true })
}

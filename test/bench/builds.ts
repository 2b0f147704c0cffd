/**
 * `node test/bench/builds.ts OTHER_PROGRAM [ROUNDS]`: audits every bench site by the built package of this tree and by
 * another build (its `dist/lib/main.js` or `dist/docgauge.cjs`), in turns, so that whatever else the machine does slows
 * down both. Prints wall time and CPU of each as a ratio. Needs ../shared/corpus and `npm run build`.
 */
import { join } from "node:path"
import process from "node:process"
import { LARGE, startBenchServer } from "./data/BenchServer.ts"
import { type MeasuredRun, measureRun } from "./measure/MeasuredRun.ts"
import { median } from "./measure/Spread.ts"
import { seconds, table } from "./measure/Table.ts"

const OURS = join(import.meta.dirname, "../../dist/docgauge.cjs")
const [, , other, rounds = "5"] = process.argv
if (other === undefined) throw new Error("usage: node test/bench/builds.ts OTHER_PROGRAM [ROUNDS]")

const run = (program: string, url: string): Promise<MeasuredRun> =>
  measureRun(program, [url, "--allow-http", "--allow-private", "--format", "json", "--quiet"])

const server = await startBenchServer()
const sums = { wall: [0, 0], cpu: [0, 0] }
const rows: Array<ReadonlyArray<string>> = []
try {
  for (const { slug, url } of server.sites) {
    if (slug === LARGE) continue
    const pairs: Array<readonly [ours: MeasuredRun, theirs: MeasuredRun]> = []
    for (let round = 0; round < Number(rounds); round++) pairs.push([await run(OURS, url), await run(other, url)])
    const middle = (of: (one: MeasuredRun) => number) =>
      [median(pairs.map(([one]) => of(one))), median(pairs.map(([, one]) => of(one)))] as const
    const wall = middle(({ wallMs }) => wallMs)
    const cpu = middle(({ cpuMs }) => cpuMs)
    for (const side of [0, 1] as const) {
      sums.wall[side] = (sums.wall[side] ?? 0) + wall[side]
      sums.cpu[side] = (sums.cpu[side] ?? 0) + cpu[side]
    }
    rows.push([
      slug,
      ...[wall, cpu].flatMap(([ours, theirs]) => [seconds(ours), seconds(theirs), (ours / theirs).toFixed(2)])
    ])
  }
} finally {
  await server.stop()
}
const total = [sums.wall, sums.cpu].flatMap(([ours = 0, theirs = 0]) => [
  seconds(ours),
  seconds(theirs),
  (ours / theirs).toFixed(2)
])
console.log(table(["site", "wall", "other's", "ratio", "CPU", "other's", "ratio"], [...rows, ["all", ...total]]))

/**
 * `node test/bench/logs/run.ts [MEGABYTES] [FORMAT…]`: how long `docgauge logs` takes for a made-up log (1,000 MB in the combined format
 * unless given; formats: those of test/logs/MadeLog.ts), and how much memory. To reach: 1 GB in 30 s on two cores and 200 MB.
 */
import { createWriteStream, mkdtempSync, rmSync } from "node:fs"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { measuredRun } from "../../cli/MeasuredRun.ts"
import { isMadeFormat, type MadeFormat, madeLog, madeRequests } from "../../logs/MadeLog.ts"

const MAIN = resolve(import.meta.dirname, "..", "..", "..", "cli", "main.ts")
const [size = "1000", ...names] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "docgauge-logs-bench-"))

/** Requests of one piece. */
const PIECE = 20_000

const write = async (format: MadeFormat, megabytes: number): Promise<string> => {
  const file = join(folder, "access.log")
  const out = createWriteStream(file)
  for (let written = 0, seed = 1; written < megabytes * 1e6; seed++) {
    // Later pieces have more pages, so that the log has more distinct paths than are kept apart.
    const text = madeLog(format, madeRequests(PIECE, seed, 100 * seed ** 2))
    written += text.length
    if (!out.write(text)) await once(out, "drain")
  }
  out.end()
  await once(out, "finish")
  return file
}

const program = process.env["DOCGAUGE_BENCH_PROGRAM"] ?? MAIN
const figures: Array<Readonly<Record<string, number | string>>> = []
for (const format of names.length === 0 ? ["combined"] : names) {
  if (!isMadeFormat(format)) throw new Error(`no format ${format}`)
  const file = await write(format, Number(size))
  const { code, milliseconds, peakMegabytes, stdout } = await measuredRun(["logs", file, "--format", "json"], {
    program
  })
  if (code !== 0) throw new Error(`docgauge logs ended with ${code}`)
  const summary: { readonly lines: { readonly read: number } } = JSON.parse(stdout)
  figures.push({
    format,
    MB: Number(size),
    lines: summary.lines.read,
    seconds: Math.round(milliseconds / 100) / 10,
    "peak MB": peakMegabytes ?? "unknown"
  })
}
rmSync(folder, { recursive: true })
console.table(figures)

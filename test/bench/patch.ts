import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { parseArgs } from "node:util"
import { measuredRun } from "../cli/MeasuredRun.ts"

/*
 * How long `docgauge fix --patch` takes on a large build, twice: `node test/bench/patch.ts [--pages 5000]`. The processor's seconds are
 * those of all threads; wall time depends on what else the machine does. Pages are of our own words, some 25 KB each.
 */

const { values: options } = parseArgs({ options: { pages: { type: "string", default: "5000" } } })

const count = Number(options.pages)
const FOLDERS = Math.max(1, Math.round(count / 100))

const pathOf = (index: number): string =>
  index === 0 ? "index.html" : `part-${index % FOLDERS}/page-${index}/index.html`
const linkOf = (index: number): string => `/${pathOf(index).replace("index.html", "")}`

const section = (page: number, index: number): string =>
  `<h2 id="part-${index}">Step ${index} of task ${page}</h2><p>Step ${index} of task ${page} begins when the parcel ${page * 31 + index} is weighed. ` +
  `The service answers with <code>parcel_${page}_${index}</code>, which <a href="${linkOf((page + index) % count)}">task ${(page + index) % count}</a> needs.</p>` +
  `<ul><li>Weight of parcel ${page} in grams, at most ${index}000</li><li>Place number ${page * 7 + index}</li></ul>` +
  `<pre><code class="language-bash">curl https://api.harbour.example/v1/parcels/${page}/${index} \\\n  -H "Authorization: Bearer $KEY"</code></pre>` +
  `<table><thead><tr><th>Field</th><th>Meaning</th></tr></thead><tbody>${Array.from({ length: 4 }, (_, row) => `<tr><td><code>field_${page}_${index}_${row}</code></td><td>Value ${row} of step ${index} in task ${page}</td></tr>`).join("")}</tbody></table>`

const navigation = Array.from(
  { length: 120 },
  (_, index) =>
    `<li class="item level-1"><a class="link" href="${linkOf(index % count)}"><span>Task ${index}</span></a></li>`
).join("")

const pageOf = (index: number): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Task ${index} | Harbour</title></head><body><nav class="sidebar"><ul>${navigation}</ul></nav>` +
  `<main><h1>Task ${index}</h1><p>Task ${index} sends parcel ${index} to place ${index * 13}, and tells when it has come.</p>${Array.from({ length: 12 }, (_, at) => section(index, at + 1)).join("")}</main><footer>Harbour</footer></body></html>`

const root = mkdtempSync(join(tmpdir(), "docgauge-patch-bench-"))
const folder = join(root, "build")
const times = join(root, "times")

const TELL_PROCESSOR_TIME = `import { writeFileSync } from "node:fs"; import { isMainThread } from "node:worker_threads";
if (isMainThread) process.on("exit", () => { const { system, user } = process.cpuUsage(); writeFileSync(${JSON.stringify(times)}, String(system + user)) })`

try {
  for (let index = 0; index < count; index++) {
    const path = join(folder, pathOf(index))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, pageOf(index))
  }
  for (const run of ["first", "second"]) {
    const { code, milliseconds, peakMegabytes, stderr, stdout } = await measuredRun(
      [
        "fix",
        folder,
        "--as",
        "https://docs.harbour.example",
        "--patch",
        folder,
        "--ai",
        "search-only",
        "--host",
        "netlify"
      ],
      { preload: TELL_PROCESSOR_TIME }
    )
    if (code !== 0) throw new Error(stderr)
    process.stdout.write(
      `${run}: ${(milliseconds / 1_000).toFixed(1)} s, of the processor ${(Number(readFileSync(times, "utf8")) / 1_000_000).toFixed(1)} s, ${peakMegabytes} MB\n${stdout.split("\n").slice(0, 4).join("\n")}\n`
    )
  }
} finally {
  rmSync(root, { recursive: true })
}

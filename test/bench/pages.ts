import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { parseArgs } from "node:util"
import { LIMITLESS, ServiceProcess } from "../service/ServiceProcess.ts"
import { serveSmallSites } from "../service/SmallSites.ts"
import { CROWD, measureImages } from "./Images.ts"
import { held, table } from "./Table.ts"

/*
 * `npm run bench:pages`: the figures of what people see. `-- --only images` for some of them.
 */

const { values: options } = parseArgs({ options: { only: { type: "string", default: "images" } } })

const GOALS = { cold: 200, warm: 5 }

const folder = mkdtempSync(join(tmpdir(), "docgauge-pages-bench-"))
const sites = await serveSmallSites()
const service = new ServiceProcess({
  env: { ...LIMITLESS, ...sites.env, DOCGAUGE_DATABASE_URL: `file:${join(folder, "runs.db")}`, DOCGAUGE_ARCHIVES: "off" }
})

const images = async (): Promise<string> => {
  const { cold, crowdMs, meanwhile, warm } = await measureImages(service)
  return table(["share images, ms", "p50", "p99", "most"], [
    ["drawn", cold.p50.toFixed(0), cold.p99.toFixed(0), held(cold.max, GOALS.cold, 0)],
    ["from memory", warm.p50.toFixed(1), held(warm.p99, GOALS.warm, 1), warm.max.toFixed(1)],
    [`the last of ${CROWD} drawn at once`, "", "", crowdMs.toFixed(0)],
    ["other requests meanwhile", meanwhile.p50.toFixed(1), meanwhile.p99.toFixed(1), meanwhile.max.toFixed(1)]
  ])
}

try {
  const wanted = options.only.split(",")
  console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}\n`)
  if (wanted.includes("images")) console.log(await images())
} finally {
  await service.kill()
  await sites.close()
  rmSync(folder, { recursive: true })
}

/**
 * `node test/bench/memory.ts [pages|descriptions] [PROGRAM]`: four audits of sites that send about 50 MB each, at once. Prints the
 * peak memory of all processes of the service together (PSS counts shared pages once, RSS for each process), and how long
 * the audits took. PROGRAM is the first file of a build (`dist/lib/main.js`), which is what operators run; else the sources,
 * whose types Node strips as it loads them (70 MB more). Linux only: memory is read from /proc.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { LIMITLESS, ServiceProcess } from "../harness/ServiceProcess.ts"
import { serveSmallSites, smallSite } from "../harness/SmallSites.ts"

const MB = 1024 * 1024
const AUDITS = 4
const PAGES = 12
const INTERVAL_MS = 50

const [, , variant = "pages", program] = process.argv
if (variant !== "pages" && variant !== "descriptions")
  throw new Error("usage: node test/bench/memory.ts [pages|descriptions] [PROGRAM]")

const links = Array.from({ length: PAGES }, (_, index) => `<a href="/guide/p${index}">Guide ${index}</a>`).join(" ")
const PARAGRAPH = "<p>Words that explain how the service is used, and what it does for people who build on it.</p>\n"
const page = (path: string, bytes: number): string =>
  `<!doctype html><html lang="en"><title>${path}</title><nav>${links}</nav><main><h1>${path}</h1>${PARAGRAPH.repeat(Math.ceil(bytes / PARAGRAPH.length))}</main></html>`

/** An OpenAPI document of about that number of bytes. */
const description = (bytes: number): string => {
  const operation = (index: number) => [
    `/things/${index}`,
    {
      get: {
        operationId: `thing${index}`,
        summary: `Reads thing ${index}`,
        description: "What it gives, and when. ".repeat(20),
        responses: { 200: { description: "The thing" } }
      }
    }
  ]
  const one = JSON.stringify(Object.fromEntries([operation(100_000)])).length
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Things", version: "1" },
    paths: Object.fromEntries(Array.from({ length: Math.floor(bytes / one) }, (_, index) => operation(index)))
  })
}

const LARGE = variant === "pages" ? 4 * MB : 800_000
const files: ReadonlyMap<string, string> =
  variant === "pages"
    ? new Map()
    : new Map(["/openapi.json", "/swagger.json"].map((path) => [path, description(19 * MB)]))
const pages = new Map(Array.from({ length: PAGES }, (_, index) => [`/guide/p${index}`, page(`Guide ${index}`, LARGE)]))

const answer = (request: IncomingMessage, response: ServerResponse): boolean => {
  const path = request.url ?? "/"
  const json = files.get(path)
  const html = path === "/" ? page("Start", 2_000) : pages.get(path)
  const body = json ?? html
  if (body === undefined) return false
  response.writeHead(200, { "content-type": json === undefined ? "text/html; charset=utf-8" : "application/json" })
  response.end(body)
  return true
}

/** A process and those that it started, by their ids. */
const treeOf = (pid: number): ReadonlyArray<number> => {
  const children = new Map<number, Array<number>>()
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/u.test(name)) continue
    const [, parent] = /^\d+ \(.*\) \S (\d+)/su.exec(read(`/proc/${name}/stat`)) ?? []
    children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)])
  }
  const walk = (one: number): ReadonlyArray<number> => [one, ...(children.get(one) ?? []).flatMap(walk)]
  return walk(pid)
}

/** Empty where the process has ended meanwhile. */
const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

const megabytes = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "mu").exec(text)?.[1] ?? 0) / 1024

const memoryOf = (pid: number) => {
  const rollups = treeOf(pid).map((one) => read(`/proc/${one}/smaps_rollup`))
  const sum = (name: string) => rollups.reduce((total, text) => total + megabytes(text, name), 0)
  return { pss: sum("Pss"), rss: sum("Rss"), processes: rollups.length }
}

const audit = async (url: string, index: number): Promise<string> => {
  const begun = performance.now()
  const response = await fetch(`${url}/audit`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ base_url: smallSite(index) })
  })
  await response.text()
  return `${response.status} after ${((performance.now() - begun) / 1_000).toFixed(1)} s`
}

const folder = mkdtempSync(join(tmpdir(), "docgauge-memory-"))
const sites = await serveSmallSites({ instead: answer })
const service = new ServiceProcess({
  program,
  env: {
    ...LIMITLESS,
    ...sites.env,
    DOCGAUGE_DATABASE_URL: `file:${join(folder, "runs.db")}`,
    DOCGAUGE_ARCHIVES: join(folder, "archives"),
    DOCGAUGE_CLIENT_RUNS: "off"
  }
})
try {
  const url = await service.url
  const pid = service.child.pid ?? 0
  const peak = { pss: 0, rss: 0, processes: 0 }
  const idle = memoryOf(pid)
  const sampling = setInterval(() => {
    const now = memoryOf(pid)
    peak.pss = Math.max(peak.pss, now.pss)
    peak.rss = Math.max(peak.rss, now.rss)
    peak.processes = Math.max(peak.processes, now.processes)
  }, INTERVAL_MS)
  const audits = await Promise.all(Array.from({ length: AUDITS }, (_, index) => audit(url, index)))
  clearInterval(sampling)
  console.log(`${AUDITS} audits at once, ${variant}: ${audits.join(", ")}`)
  console.log(`idle: PSS ${idle.pss.toFixed(0)} MB, RSS ${idle.rss.toFixed(0)} MB`)
  console.log(`peak: PSS ${peak.pss.toFixed(0)} MB, RSS ${peak.rss.toFixed(0)} MB, ${peak.processes} processes`)
} finally {
  await service.end()
  await sites.close()
  rmSync(folder, { recursive: true, force: true })
}

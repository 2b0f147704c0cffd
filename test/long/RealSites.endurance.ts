import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CorpusServer, hasCorpus, serveCorpus } from "../corpus/CorpusServer.ts"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"
import { LIMITLESS, ServiceProcess } from "../harness/ServiceProcess.ts"

const FIRST = "https://ellmer.tidyverse.org"
const OTHERS = ["https://www.python-httpx.org", "https://kinocut.dev", "https://vuex.vuejs.org"]

interface RunBody {
  readonly status: string
  readonly total_score?: number
  readonly report?: { readonly base_url: string; readonly criteria: ReadonlyArray<{ readonly evidence_url: string }> }
}

/** As strict as in production: https only, public names only; they lead to the corpus, whose authority is trusted. */
describe.skipIf(!hasCorpus)("the service, auditing real sites", () => {
  let folder: string
  let corpus: CorpusServer
  let service: ServiceProcess
  let url: string

  const start = async (env: Readonly<Record<string, string>> = {}): Promise<void> => {
    service = new ServiceProcess({
      program: PROGRAM,
      env: {
        ...LIMITLESS,
        NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
        DOCGAUGE_RESOLVE: `*:443:127.0.0.1:${corpus.port}`,
        DOCGAUGE_DATABASE_URL: `file:${join(folder, "runs.db")}`,
        DOCGAUGE_ARCHIVES: join(folder, "archives"),
        ...env
      }
    })
    url = await service.url
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "docgauge-real-"))
    corpus = await serveCorpus()
    writeFileSync(join(folder, "ca.pem"), corpus.authority)
    await start()
  })

  afterAll(async () => {
    await service.kill()
    await corpus.stop()
    rmSync(folder, { recursive: true })
  })

  const post = (site: string, query = ""): Promise<Response> =>
    fetch(`${url}/audit${query}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ base_url: site })
    })

  const json = async <A>(path: string): Promise<A> => {
    const response = await fetch(url + path)
    expect(response.status).toBe(200)
    return JSON.parse(await response.text())
  }

  const run = (id: string): Promise<RunBody> => json(`/api/public/audit/${id}`)

  /** The report of a site, as a synchronous request has it, and the id of its run. */
  const report = async (site: string, cache: "HIT" | "MISS") => {
    const response = await post(site)
    expect([response.status, response.headers.get("x-audit-cache")]).toEqual([200, cache])
    return { id: response.headers.get("x-audit-run-id") ?? "", bytes: await response.text() }
  }

  /** Judges the run's archive again, on the command line, whose JSON names its schema first. */
  const replayed = async (id: string): Promise<string> => {
    const response = await fetch(`${url}/api/public/audit/${id}/archive`)
    expect(response.status).toBe(200)
    const file = join(folder, `${id}.warc.gz`)
    writeFileSync(file, new Uint8Array(await response.arrayBuffer()))
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, "--replay", file, "--format", "json"], {
      maxBuffer: 2 ** 26
    })
    return stdout.replace(/^ {2}"\$schema": "[^"]+",\n/m, "")
  }

  it("waits for the report, serves it again without an audit, and keeps an archive that comes to the same", async () => {
    const first = await report(FIRST, "MISS")
    const { base_url, criteria } = JSON.parse(first.bytes)
    expect(base_url).toBe(FIRST)
    expect(criteria).toHaveLength(30)
    expect(await report(FIRST, "HIT")).toEqual(first)
    expect(await replayed(first.id)).toBe(first.bytes)
    const body = await run(first.id)
    expect(body).toMatchObject({
      status: "done",
      total_score: body.report === undefined ? -1 : JSON.parse(first.bytes).total_score
    })
    expect(body.report).toEqual(JSON.parse(first.bytes))
  })

  it("takes several in at once, and tells of them by polling", async () => {
    const ids = await Promise.all(
      OTHERS.map(async (site) => {
        const response = await post(site, "?async=true")
        expect(response.status).toBe(202)
        const accepted: { readonly run_id: string; readonly poll_url: string } = JSON.parse(await response.text())
        expect(accepted).toEqual({
          run_id: accepted.run_id,
          status: "pending",
          poll_url: `/api/public/audit/${accepted.run_id}`,
          share_url: `/r/${accepted.run_id}`
        })
        return accepted.run_id
      })
    )
    for (const [index, id] of ids.entries()) {
      await expect.poll(() => run(id), { timeout: 120_000, interval: 500 }).toMatchObject({ status: "done" })
      const site = OTHERS[index] ?? ""
      const again = await report(site, "HIT")
      expect(again.id).toBe(id)
      expect(await replayed(id)).toBe(again.bytes)
    }
  })

  it("shows them where sites are browsed", async () => {
    const sites = [FIRST, ...OTHERS].map((site) => new URL(site).hostname.replace(/^www\./, "")).sort()
    const hosts = (found: ReadonlyArray<{ readonly base_url: string }>): ReadonlyArray<string> =>
      found.map(({ base_url }) => base_url)
    expect(await json("/api/public/browse/summary")).toMatchObject({ sites: sites.length, runs: sites.length })
    const { sites: top } = await json<{ readonly sites: ReadonlyArray<{ readonly base_url: string }> }>(
      "/api/public/browse/top?window=all&limit=50"
    )
    expect(hosts(top).toSorted()).toEqual(sites)
    for (const [query, found] of [
      ["LLMER", ["ellmer.tidyverse.org"]],
      ["https://www.python", ["python-httpx.org"]],
      ["nowhere", []]
    ] as const) {
      const { hits } = await json<{ readonly hits: ReadonlyArray<{ readonly base_url: string }> }>(
        `/api/public/browse/search?q=${encodeURIComponent(query)}`
      )
      expect(hosts(hits)).toEqual(found)
    }
    expect(await json("/api/public/browse/stats")).toMatchObject({
      organisations: expect.arrayContaining([{ organisation: "tidyverse.org", count: 1 }])
    })
  })

  it("audits again where nothing stands for the site, comes to the same, and compares the two", async () => {
    const { id: earlier, bytes } = await report(FIRST, "HIT")
    expect((await service.end()).code).toBe(0)
    await start({ DOCGAUGE_TARGET_WINDOW: "off" })
    const again = await report(FIRST, "MISS")
    expect(again.id).not.toBe(earlier)
    expect(again.bytes.replace(/"audit_date": "[^"]*"/, "")).toBe(bytes.replace(/"audit_date": "[^"]*"/, ""))

    const { total_score: score } = JSON.parse(bytes)
    const newest = encodeURIComponent(new Date(Date.now() + 60_000).toISOString())
    const history = await json<{ readonly runs: ReadonlyArray<{ readonly id: string }> }>(
      `/api/public/audit/${again.id}/history?cursor=${newest}`
    )
    expect(history).toMatchObject({ next_cursor: "", base_url: FIRST, base_url_norm: new URL(FIRST).hostname })
    expect(history.runs).toMatchObject([again.id, earlier].map((id) => ({ id, status: "done", total_score: score })))

    const diff = await json<{ readonly criteria: ReadonlyArray<{ readonly delta: number }> }>(
      `/api/public/audit/${again.id}/diff`
    )
    expect(diff).toMatchObject({ total_delta: 0, baseline_auto: true })
    expect(diff.criteria.map(({ delta }) => delta)).toEqual(Array.from({ length: 30 }, () => 0))
    expect(await json(`/api/public/audit/${again.id}/diff?baseline=${earlier}`)).toEqual({
      ...diff,
      baseline_auto: false
    })
  })
})

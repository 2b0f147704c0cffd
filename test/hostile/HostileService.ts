import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { type Ending, LIMITLESS, ServiceProcess } from "../harness/ServiceProcess.ts"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"
import { hostileUrl } from "./SiteNames.ts"

/** How long audits of the tests gather, in seconds. */
export const GATHER_SECONDS = 4

/** How much later than that an audit may end, in milliseconds. */
export const GRACE_MS = 5_000

/** What became of one audit. */
export interface AuditedSite {
  /** Of its run. */
  readonly id: string
  readonly status: "done" | "error" | "running" | "pending"
  /** The reason where it is an error. */
  readonly error: string | null
  readonly score: number | null
  /** From accepting the run to its end, as a client that polls sees it. */
  readonly milliseconds: number
  /**
   * How long the audit ran in its process for certain, in milliseconds: from the first poll that saw it begun to the last that
   * saw it not over. Waiting for a process to start is no part of it.
   */
  readonly ranMs: number
}

interface RunBody {
  readonly status: AuditedSite["status"]
  readonly error?: unknown
  /** Its total is 0 until the audit has begun in its process. */
  readonly progress?: { readonly total: number }
  readonly total_score?: number
  readonly report?: { readonly total_score?: number }
}

/** A service whose audits gather for a few seconds, and the hostile corpus. */
export interface HostileService {
  readonly service: ServiceProcess
  readonly url: string
  /** Submits a site; the id of its run. */
  readonly submit: (name: string) => Promise<string>
  /** Submits a site and polls until its run is over, or for `patienceMs`. */
  readonly audit: (name: string, patienceMs?: number) => Promise<AuditedSite>
  readonly statusOf: (id: string) => Promise<AuditedSite["status"]>
  /** Ends the service as a supervisor does. */
  readonly end: () => Promise<Ending>
  /** Ends whatever is left. */
  readonly remove: () => Promise<void>
}

/** How often a run that is not over is polled. */
const POLL_MS = 100

/** The hostile corpus in a process of its own. */
export interface SiteServer {
  readonly port: number
  readonly child: ChildProcess
}

export const serveHostileSites = async (): Promise<SiteServer> => {
  const child = fork(join(import.meta.dirname, "SiteServer.ts"), { stdio: ["ignore", "ignore", "inherit", "ipc"] })
  const [port] = await once(child, "message")
  if (typeof port !== "number") throw new Error("the server of the hostile sites has no port")
  return { port, child }
}

/** Names that a rule of `DOCGAUGE_RESOLVE` in `env` has lead elsewhere than to the hostile sites. */
export const startHostileService = async (
  { port }: SiteServer,
  atOnce: number,
  { DOCGAUGE_RESOLVE, ...env }: Readonly<Record<string, string>> = {}
): Promise<HostileService> => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-hostile-"))
  const service = new ServiceProcess({
    program: PROGRAM,
    env: {
      ...LIMITLESS,
      DOCGAUGE_CLIENT_RUNS: "off",
      DOCGAUGE_GATHER_SECONDS: String(GATHER_SECONDS),
      DOCGAUGE_CONCURRENT_AUDITS: String(atOnce),
      DOCGAUGE_ALLOW_HTTP: "true",
      DOCGAUGE_RESOLVE: [
        ...(DOCGAUGE_RESOLVE === undefined ? [] : [DOCGAUGE_RESOLVE]),
        `*:80:127.0.0.1:${port},*:443:127.0.0.1:${port}`
      ].join(","),
      DOCGAUGE_DATABASE_URL: `file:${join(folder, "runs.db")}`,
      DOCGAUGE_ARCHIVES: join(folder, "archives"),
      ...env
    }
  })
  const url = await service.url
  const submit = async (name: string): Promise<string> => {
    const answer = await fetch(`${url}/audit?async=true`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ base_url: hostileUrl(name) })
    })
    const text = await answer.text()
    if (answer.status !== 202) throw new Error(`POST /audit of ${name} was answered with ${answer.status}: ${text}`)
    const { run_id: id }: { readonly run_id: string } = JSON.parse(text)
    return id
  }
  const runOf = async (id: string): Promise<RunBody> => {
    const answer = await fetch(`${url}/api/public/audit/${id}`)
    return JSON.parse(await answer.text())
  }
  const audit = async (name: string, patienceMs = 180_000): Promise<AuditedSite> => {
    const id = await submit(name)
    const begun = performance.now()
    for (let ranMs = 0, seenBegun: number | null = null; ;) {
      const asked = performance.now() - begun
      const run = await runOf(id)
      const milliseconds = performance.now() - begun
      const over = run.status === "done" || run.status === "error"
      if (seenBegun === null && (run.progress?.total ?? 0) > 0) seenBegun = milliseconds
      if (!over && seenBegun !== null) ranMs = Math.max(0, asked - seenBegun)
      if (over || milliseconds > patienceMs) {
        const error = run.error === undefined ? null : JSON.stringify(run.error)
        return {
          id,
          status: run.status,
          error,
          score: run.total_score ?? run.report?.total_score ?? null,
          milliseconds,
          ranMs
        }
      }
      await pause(POLL_MS)
    }
  }
  return {
    service,
    url,
    submit,
    audit,
    statusOf: async (id) => (await runOf(id)).status,
    end: () => service.end(),
    remove: async () => {
      await service.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

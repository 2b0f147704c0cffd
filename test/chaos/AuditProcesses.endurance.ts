import { mkdtempSync, rmSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { KILLED } from "../../engine/process/TemporaryFiles.ts"
import { readLedger } from "../harness/Ledger.ts"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"
import { acceptedRun, type RunBody, runBody } from "../harness/Runs.ts"
import { LIMITLESS, ServiceProcess } from "../harness/ServiceProcess.ts"
import { serveSmallSites, smallSite, type SmallSites } from "../harness/SmallSites.ts"
import { childrenOf, isAlive, killNow, processBehind } from "./ProcessTree.ts"

/** What the command line of a process that runs audits holds. */
const AUDIT_PROCESS = "AuditProcess"

const NEIGHBOURS = ["one", "two", "three"]

let folder: string
let sites: SmallSites
let service: ServiceProcess
let onRequest: (request: IncomingMessage) => void

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-processes-"))
  onRequest = () => undefined
  sites = await serveSmallSites({
    delayMs: 200,
    instead: (request) => {
      onRequest(request)
      return false
    }
  })
  service = new ServiceProcess({
    program: PROGRAM,
    env: {
      ...LIMITLESS,
      ...sites.env,
      DOCGAUGE_DATABASE_URL: `file:${join(folder, "runs.db")}`,
      DOCGAUGE_ARCHIVES: join(folder, "archives")
    }
  })
  await service.url
})

afterEach(async () => {
  await service.kill()
  await sites.close()
  rmSync(folder, { recursive: true })
})

const accepted = async (site: string): Promise<string> => acceptedRun(await service.url, smallSite(site))

const bodyOf = async (id: string): Promise<RunBody> => runBody(await service.url, id)

const expectEnd = async (id: string, status: "done" | "error"): Promise<RunBody> => {
  await expect.poll(() => bodyOf(id).then((body) => body.status), { timeout: 120_000, interval: 200 }).toBe(status)
  return bodyOf(id)
}

const attemptsOf = (id: string): unknown => {
  const database = new DatabaseSync(join(folder, "runs.db"), { readOnly: true })
  try {
    return { ...database.prepare("SELECT attempts, begun FROM runs WHERE id = ?").get(id) }
  } finally {
    database.close()
  }
}

const auditProcesses = (): ReadonlyArray<number> => childrenOf(service.child.pid ?? 0, AUDIT_PROCESS)

/** Kills the process that audits this site, as soon as it asks for anything, at most `times` times. Gives the ids of those it killed. */
const killingAuditsOf = (site: string, times: number): ReadonlyArray<number> => {
  const killed: Array<number> = []
  onRequest = ({ headers, socket }) => {
    if (`http://${headers.host}` !== smallSite(site) || killed.length >= times) return
    const pid = processBehind(socket.remotePort ?? 0, auditProcesses())
    if (pid === null || killed.includes(pid)) return
    killed.push(pid)
    killNow(pid)
  }
  return killed
}

describe("a process that runs an audit", () => {
  it("is never the one that serves HTTP", async () => {
    const parents = new Set<number | null>()
    onRequest = ({ socket }) => {
      parents.add(processBehind(socket.remotePort ?? 0, [service.child.pid ?? 0]))
    }
    await expectEnd(await accepted("apart"), "done")
    expect([...parents]).toEqual([null])
  })

  it("and is killed by the system, as where memory is short, is followed by a fresh one after a while, which ends the run: the log says why and what to do, it counts as no attempt, and neighbours are not touched", async () => {
    const killed = killingAuditsOf("victim", 1)
    const [victim = "", ...neighbours] = await Promise.all(["victim", ...NEIGHBOURS].map(accepted))
    for (const id of [victim, ...neighbours]) await expectEnd(id, "done")
    expect(killed.length).toBe(1)
    expect((await service.end()).code).toBe(0)
    const reasons = service.log
      .filter(({ level, run }) => level === "error" && run === victim)
      .map(({ message }) => message)
    expect(reasons).toEqual([
      `this process takes no audits for 10 seconds, and leaves them to others: The audit was stopped because ${KILLED}`
    ])
    expect(attemptsOf(victim)).toEqual({ attempts: 1, begun: 2 })
    for (const id of neighbours) expect(attemptsOf(id)).toEqual({ attempts: 1, begun: 1 })
    expect(await readLedger(`file:${join(folder, "runs.db")}`)).toMatchObject({ faults: [], twice: [], errors: [] })
  })

  it("and is killed each time ends the run in error at its third attempt, with a reason that tells nothing of the machine", async () => {
    const killed = killingAuditsOf("victim", Number.POSITIVE_INFINITY)
    const [victim = "", ...neighbours] = await Promise.all(["victim", ...NEIGHBOURS].map(accepted))
    const { error } = await expectEnd(victim, "error")
    expect(killed.length).toBe(3)
    expect(JSON.stringify(error)).toMatch(/[a-z]{3,}/)
    expect(JSON.stringify(error)).not.toMatch(/SIG[A-Z]+|\bpid\b|AuditProcess|node:|\/(?:tmp|work|home|usr)\//)
    for (const id of neighbours) await expectEnd(id, "done")
    await expectEnd(await accepted("later"), "done")
    expect((await service.end()).code).toBe(0)
    expect((await readLedger(`file:${join(folder, "runs.db")}`)).faults).toEqual([])
  })

  it("and is idle may be killed, like all others with it: audits after it are as before", async () => {
    for (const id of await Promise.all(NEIGHBOURS.map(accepted))) await expectEnd(id, "done")
    const idle = auditProcesses()
    expect(idle).not.toEqual([])
    for (const pid of idle) killNow(pid)
    await expectEnd(await accepted("later"), "done")
  })

  it("ends when the service is killed, whatever it is at", async () => {
    await Promise.all(NEIGHBOURS.map(accepted))
    await expect.poll(auditProcesses, { timeout: 60_000 }).not.toEqual([])
    const processes = auditProcesses()
    await service.kill()
    await expect.poll(() => processes.filter(isAlive), { timeout: 60_000 }).toEqual([])
  })
})

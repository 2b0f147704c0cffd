import { mkdtempSync, rmSync } from "node:fs"
import type { RequestListener, ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { httpServer, type Loopback } from "../../evidence/LoopbackServers.ts"
import { PROGRAM } from "../../harness/program/BuiltProgram.ts"
import { LIMITLESS, ServiceProcess } from "../../harness/ServiceProcess.ts"
import { type Ask, callerWith, eventually, SECRET, tokenOf } from "./AdminService.ts"

/** A site that an operator blocks; the other hosts of its domain lead to it. */
const BLOCKED_HOST = "plain.blk.com"

const WORDS = "Words that explain how the service is used, and what it does for people who build on it. "

/** In each answer of the blocked host, and nowhere else. */
const SECRET_WORDS = "words of the blocked host"

const page = (response: ServerResponse, title: string, links: ReadonlyArray<string>, words = ""): void => {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" })
  const list = links.map((link) => `<a href="${link}">${link}</a>`).join(" ")
  response.end(
    `<!doctype html><html lang="en"><title>${title}</title><nav>${list}</nav><main><h1>${title}</h1><p>${WORDS.repeat(4)}${words}</p></main></html>`
  )
}

const redirectTo = (response: ServerResponse, location: string): void => {
  response.writeHead(302, { location })
  response.end()
}

const PATHS = ["/guide", "/reference", "/errors"]

/** Hosts whose names begin with `moved` lead to the blocked host altogether; others are sites of their own with pages and files that do. Each test has its own, because the service keeps reports. */
const otherHosts: RequestListener = ({ headers: { host = "" }, url = "/" }, response) => {
  if (url === "/robots.txt") onRobots()
  if (host.startsWith("moved") || url.startsWith("/moved") || url === "/openapi.json")
    return redirectTo(response, `http://${BLOCKED_HOST}${url}`)
  if (url === "/refresh") {
    response.writeHead(200, { "content-type": "text/html" })
    return response.end(`<meta http-equiv="refresh" content="0; url=http://${BLOCKED_HOST}/">`)
  }
  if (url === "/llms.txt") {
    response.writeHead(200, { "content-type": "text/plain" })
    return response.end(
      `# Docs\n\n## Pages\n\n${PATHS.map((path) => `- [${path}](http://${BLOCKED_HOST}${path})`).join("\n")}\n`
    )
  }
  if (url === "/" || PATHS.includes(url))
    return page(response, `Docs ${url}`, [
      ...PATHS,
      "/moved/a",
      "/moved/b",
      ...PATHS.map((path) => `http://${BLOCKED_HOST}${path}`)
    ])
  response.writeHead(404, { "content-type": "text/plain" })
  response.end("no such page")
}

interface RunBody {
  readonly status: string
  readonly code?: string
  readonly error?: string
}

const BLOCKED = { error: "An operator of this service has blocked this site.", code: "audit_failed" }

let folder: string
let others: Loopback
let blockedHost: Loopback
let service: ServiceProcess
let url: string
let admin: Ask
/** Paths that the blocked host was asked for. */
let asked: Array<string>
/** Connections to the blocked host before the test. */
let connectedBefore: number
/** Holds up an answer of the blocked host; `null`: it answers at once. */
let hold: ((path: string) => boolean) | null
/** Told that robots.txt was asked for, with which each attempt begins. */
let onRobots: () => void

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-blocked-"))
  others = await httpServer(otherHosts)
  blockedHost = await httpServer(({ url: path = "/" }, response) => {
    asked.push(path)
    if (hold?.(path) !== true) page(response, `Plain ${path}`, PATHS, SECRET_WORDS)
  })
  service = new ServiceProcess({
    program: PROGRAM,
    env: {
      ...LIMITLESS,
      DOCGAUGE_ALLOW_HTTP: "true",
      DOCGAUGE_ADMIN_JWT_SECRET: SECRET,
      DOCGAUGE_RESOLVE: `${BLOCKED_HOST}:80:127.0.0.1:${blockedHost.port},*:80:127.0.0.1:${others.port},*:443:127.0.0.1:${others.port}`,
      DOCGAUGE_DATABASE_URL: `file:${join(folder, "runs.db")}`,
      DOCGAUGE_ARCHIVES: join(folder, "archives")
    }
  })
  url = await service.url
  admin = callerWith(url, await tokenOf({ expires: 600 }))
})

beforeEach(() => {
  asked = []
  hold = null
  onRobots = () => undefined
  connectedBefore = blockedHost.connections()
})

afterEach(async () => {
  for (const site of [BLOCKED_HOST, `${BLOCKED_HOST}/moved`]) await admin("POST", "/sites/unblock", { site })
})

afterAll(async () => {
  await service.kill()
  await others.close()
  await blockedHost.close()
  rmSync(folder, { recursive: true, force: true })
})

const block = async (site = BLOCKED_HOST) =>
  expect(await admin("POST", "/sites/block", { site })).toMatchObject({ status: 200 })

const post = async (address: string, query = "") =>
  fetch(`${url}/audit${query}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ base_url: address })
  })

const accepted = async (address: string): Promise<string> => {
  const { run_id: id }: { readonly run_id: string } = JSON.parse(await (await post(address, "?async=true")).text())
  return id
}

const run = async (id: string): Promise<RunBody> =>
  JSON.parse(await (await fetch(`${url}/api/public/audit/${id}`)).text())

const over = (id: string) =>
  eventually(
    () => run(id),
    ({ status }) => status === "done" || status === "error"
  )

const pageOf = async (id: string): Promise<string> =>
  (await fetch(`${url}/r/${id}`, { headers: { accept: "text/html" } })).text()

/** The archive of the run as text; `null` if there is none. */
const archiveOf = async (id: string): Promise<string | null> => {
  const answer = await fetch(`${url}/api/public/audit/${id}/archive`)
  return answer.status === 200 ? gunzipSync(Buffer.from(await answer.arrayBuffer())).toString("latin1") : null
}

/** Blocks the host while the audit waits for its answer; resolves when the next attempt begins, and says what had been asked until then. */
const blockDuring = async (address: string, isHeld: (path: string) => boolean) => {
  const held = Promise.withResolvers<void>()
  const again = Promise.withResolvers<void>()
  hold = (path) => {
    if (isHeld(path)) held.resolve()
    return isHeld(path)
  }
  const id = await accepted(address)
  await held.promise
  onRobots = again.resolve
  await block()
  await again.promise
  return { id, before: [...asked] }
}

const expectNothingKept = async (id: string) => {
  expect(await over(id)).toMatchObject({ status: "error", ...BLOCKED })
  expect(await archiveOf(id)).toBeNull()
  expect(await pageOf(id)).toContain(BLOCKED.error)
  expect(await pageOf(id)).not.toContain(SECRET_WORDS)
}

describe("a blocked site to which another host of its domain leads", { timeout: 180_000 }, () => {
  it.each(["http://moved.blk.com", "http://refreshed.blk.com/refresh"])(
    "is not connected to, and the run of %s ends as blocked, without an archive",
    async (address) => {
      await block()
      const answer = await post(address)
      expect([answer.status, await answer.json()]).toEqual([422, BLOCKED])
      await expectNothingKept(answer.headers.get("x-audit-run-id") ?? (await accepted(address)))
      expect(blockedHost.connections()).toBe(connectedBefore)
    }
  )

  it("is not connected to for pages and files that lead there, which are missing, while the rest is reported", async () => {
    await block()
    const id = await accepted("http://linking.blk.com")
    expect(await over(id)).toMatchObject({ status: "done" })
    expect(blockedHost.connections()).toBe(connectedBefore)
    const report = JSON.stringify(await run(id))
    expect(report).toContain("an operator of this service has blocked that site")
    expect(report).toMatch(/"id":"C1","status":"inconclusive"/)
  })

  it("is not connected to where only a part of it is blocked, and the audit leads into that part", async () => {
    await block(`${BLOCKED_HOST}/moved`)
    const id = await accepted("http://partly.blk.com")
    expect(await over(id)).toMatchObject({ status: "done" })
    expect(asked).not.toEqual([])
    expect(asked.filter((path) => path.startsWith("/moved"))).toEqual([])
  })

  it("is asked nothing more if the block came while the audit ran, and the run ends as blocked, without a report or an archive", async () => {
    const { before, id } = await blockDuring("http://moved-late.blk.com", (path) => path === "/guide")
    await expectNothingKept(id)
    expect(asked).toEqual(before)
  })

  it("is left out of the report if the block came while the audit of another site that links to it ran", async () => {
    const { before, id } = await blockDuring("http://docs.blk.com", () => true)
    expect(await over(id)).toMatchObject({ status: "done" })
    expect(asked).toEqual(before)
    expect(JSON.stringify(await run(id))).not.toContain(SECRET_WORDS)
    expect(await archiveOf(id)).not.toContain(SECRET_WORDS)
  })
})

import { createHash } from "node:crypto"
import { request } from "node:http"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Moderation } from "../../../engine/store/operators/Moderation.ts"
import { ownPostgres, postgres } from "../../store/Databases.ts"
import { parseCsv } from "../../store/snapshots/ParsedCsv.ts"
import { type AdminTestService, eventually, startAdminService } from "../admin/AdminService.ts"
import { startService, type TestService } from "../TestService.ts"

const EXPORT = "/api/public/browse/export"

interface Download {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** As it was sent, in its content coding. */
  readonly bytes: Buffer
}

/** `fetch` would decode the body. */
const download = (url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Download> =>
  new Promise((resolve, reject) => {
    request(url, { method, headers }, (answer) => {
      const pieces: Array<Buffer> = []
      answer.on("data", (piece: Buffer) => pieces.push(piece))
      answer.on("error", reject)
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(pieces) })
      )
    })
      .on("error", reject)
      .end()
  })

const reprDigestOf = (bytes: Uint8Array): string => `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:`

const isThere = (service: TestService) =>
  eventually(
    async () => (await fetch(service.url + EXPORT)).status,
    (status) => status === 200
  )

const sitesOf = async (service: TestService): Promise<ReadonlyArray<string>> =>
  (await (await service.ask(EXPORT)).text())
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [(JSON.parse(line) as { readonly base_url: string }).base_url]))

describe("the weekly download", () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ pace: "100 millis" })
    await service.submit({ base_url: "https://docs70.one.dev" })
    await isThere(service)
  })
  afterAll(() => service.stop())

  it("has a line of JSON for each site, with the fields of its summary and what each criterion found", async () => {
    const [line = "", ...rest] = (await (await service.ask(EXPORT)).text()).split("\n")
    expect(rest).toEqual([""])
    const { applicable_points, criteria, generator, rubric, ...summary } = JSON.parse(line)
    const site = await service.ask("/api/public/sites?base_url=docs70.one.dev")
    expect(summary).toEqual(await site.json())
    expect(Object.keys(criteria)).toEqual(["A1", "D3"])
    expect(criteria.A1).toEqual({ state: expect.any(String), score: expect.any(Number), max: expect.any(Number) })
    expect([applicable_points, generator, rubric]).toEqual([
      expect.any(Number),
      null,
      { id: expect.any(String), version: expect.any(String), digest: expect.stringMatching(/^sha256:/) }
    ])
  })

  it.each([
    ["", "application/x-ndjson", "ndjson"],
    ["?format=ndjson", "application/x-ndjson", "ndjson"],
    ["?format=csv", "text/csv; charset=utf-8; header=present", "csv"]
  ])(
    "with %s is a file whose digest is that of the bytes sent, in each content coding",
    async (query, type, ending) => {
      const plain = await download(service.url + EXPORT + query)
      const packed = await download(service.url + EXPORT + query, { "accept-encoding": "br, gzip" })
      expect(gunzipSync(packed.bytes)).toEqual(plain.bytes)
      expect([plain.headers["content-encoding"], packed.headers["content-encoding"]]).toEqual([undefined, "gzip"])
      for (const { bytes, headers, status } of [plain, packed]) {
        expect([status, headers["content-type"]]).toEqual([200, type])
        expect(headers["repr-digest"]).toBe(reprDigestOf(bytes))
        expect(headers["content-length"]).toBe(String(bytes.length))
        expect(headers["content-disposition"]).toMatch(
          new RegExp(`^attachment; filename="docgauge-\\d{4}-W\\d\\d\\.${ending}"$`)
        )
        expect(headers["link"]).toBe('<https://creativecommons.org/publicdomain/zero/1.0/>; rel="license"')
        expect(headers["last-modified"]).toMatch(/ GMT$/)
        expect([headers["vary"], headers["cache-control"]]).toEqual(["Accept-Encoding", "no-cache"])
      }
      expect(plain.headers["etag"]).not.toBe(packed.headers["etag"])
    }
  )

  it("is CSV that a strict parser reads, with the sites of the lines of JSON", async () => {
    const answer = await service.ask(`${EXPORT}?format=csv`)
    const [header = [], ...records] = parseCsv(await answer.text())
    expect(records.map((record) => record[header.indexOf("base_url")])).toEqual(await sitesOf(service))
    expect(header.slice(-6)).toEqual(["A1", "A1_score", "A1_max", "D3", "D3_score", "D3_max"])
  })

  it("is not sent again to who has it, by tag or date", async () => {
    const { headers } = await download(service.url + EXPORT)
    const [etag, modified] = [String(headers["etag"]), String(headers["last-modified"])]
    expect(etag).toMatch(/^"[^"]+"$/)
    const asked = async (conditions: Record<string, string>) => {
      const { bytes, headers, status } = await download(service.url + EXPORT, conditions)
      return [status, bytes.length > 0, headers["etag"]]
    }
    expect(await asked({ "if-none-match": etag })).toEqual([304, false, etag])
    expect(await asked({ "if-none-match": etag.replace(/"$/, '-gzip"') })).toEqual([304, false, etag])
    expect(await asked({ "if-modified-since": modified })).toEqual([304, false, etag])
    expect(await asked({ "if-none-match": '"other"', "if-modified-since": modified })).toEqual([200, true, etag])
    expect(await asked({ "if-match": '"other"' })).toEqual([412, false, etag])
    const conditional = await service.ask(EXPORT, { headers: { "if-none-match": etag } })
    expect(conditional.status).toBe(304)
  })

  it("has the same header fields for HEAD, and no body", async () => {
    const [head, get] = [await download(service.url + EXPORT, {}, "HEAD"), await download(service.url + EXPORT)]
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    for (const name of ["repr-digest", "etag", "content-length", "link"])
      expect(head.headers[name], name).toBe(get.headers[name])
  })

  it("has no third format", async () => {
    expect((await service.ask(`${EXPORT}?format=parquet`)).status).toBe(400)
  })

  it("can be downloaded again and again, because each download gives its place back", async () => {
    for (let download = 0; download < 6; download++) {
      const answer = await service.ask(EXPORT)
      await answer.arrayBuffer()
      expect(answer.status).toBe(200)
    }
  })

  it("comes with the counts of the week, by criterion and generator", async () => {
    const all = await (await service.ask("/api/public/browse/adoption")).json()
    const { criteria } = JSON.parse(await (await service.ask("/api/public/browse/stats")).text())
    expect(all).toMatchObject({
      criterion: null,
      generator: null,
      weeks: [{ week: expect.stringMatching(/^\d{4}-W\d\d$/), sites: 1, criteria }],
      generators: [{ generator: "unknown", sites: 1 }]
    })
    const one = await (await service.ask("/api/public/browse/adoption?criterion=a1&generator=Unknown")).json()
    expect(one).toMatchObject({
      criterion: "A1",
      generator: "unknown",
      weeks: [{ sites: 1, criteria: [{ id: "A1" }] }]
    })
    const none = await (await service.ask("/api/public/browse/adoption?generator=nobody")).json()
    expect(none).toMatchObject({ weeks: [], generators: [{ generator: "unknown" }] })
    for (const query of ["criterion=", "criterion=A", "criterion=A12345", "generator=", "generator=a%20b"])
      expect((await service.ask(`/api/public/browse/adoption?${query}`)).status, query).toBe(400)
  })

  it("is linked on the page of the corpus", async () => {
    const page = await (await fetch(`${service.url}/browse`)).text()
    expect(page).toMatch(/<a href="\/api\/public\/browse\/export" download[^>]*>Download all data<\/a>/)
  })
})

describe("without a snapshot", () => {
  it("the download is 404, and says when to ask again", async () => {
    const service = await startService()
    const answer = await service.ask(EXPORT)
    expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([
      404,
      "60",
      {
        error: "There is no snapshot to download at the moment. It is made within minutes: try again soon.",
        code: "not_found"
      }
    ])
    await service.stop()
  })

  it("a service that keeps nothing says so, and never to ask again", async () => {
    const service = await startService({ env: { DOCGAUGE_DATABASE_URL: "memory:" }, pace: "50 millis" })
    await service.submit({ base_url: "https://docs70.one.dev" })
    const answer = await service.ask(EXPORT)
    expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([
      404,
      null,
      { error: "This service keeps nothing, so there is no data to download.", code: "not_found" }
    ])
    expect(await (await service.ask("/api/public/browse/adoption")).json()).toMatchObject({ weeks: [], generators: [] })
    await service.stop()
  })
})

describe("the licence of the data", () => {
  it("is the one that the operator set", async () => {
    const license = "https://creativecommons.org/licenses/by/4.0/"
    const service = await startService({ env: { DOCGAUGE_DATA_LICENSE: license }, pace: "50 millis" })
    await service.submit({ base_url: "https://docs70.one.dev" })
    await isThere(service)
    expect((await service.ask(EXPORT)).headers.get("link")).toBe(`<${license}>; rel="license"`)
    await service.stop()
  })

  it.each(["CC0", "ftp://example.com/", `https://example.com/${"x".repeat(2_100)}`])(
    "has to be an http or https URL: case %#",
    async (value) => {
      await expect(startService({ env: { DOCGAUGE_DATA_LICENSE: value } })).rejects.toThrow(
        "DOCGAUGE_DATA_LICENSE: give the http or https URL of a licence"
      )
    }
  )
})

describe("what an operator takes out", () => {
  let service: AdminTestService
  const idOf = async (url: string): Promise<string> =>
    (await service.submit({ base_url: url })).headers.get("x-audit-run-id") ?? ""
  let stays = ""
  beforeAll(async () => {
    service = await startAdminService({ pace: "100 millis", env: { DOCGAUGE_TARGET_WINDOW: "off" } })
    stays = await idOf("https://docs70.stays.dev")
  })
  afterAll(() => service.stop())

  it.each([
    ["a take-down", () => service.admin("POST", "/sites/takedown", { site: "docs50.leaves.dev" })],
    ["a block", () => service.admin("POST", "/sites/block", { site: "docs50.leaves2.dev" })],
    ["hiding its run", (id: string) => service.admin("POST", `/runs/${id}/hide`)],
    ["deleting its run", (id: string) => service.admin("DELETE", `/runs/${id}`)]
  ] as const)("by %s is in nothing that is served from then on", async (way, takeOut) => {
    const host =
      way === "a block" ? "docs50.leaves2.dev" : way === "a take-down" ? "docs50.leaves.dev" : "docs50.leaves3.dev"
    const id = await idOf(`https://${host}`)
    // So that there is a snapshot with it.
    await service.admin("POST", `/runs/${await idOf("https://docs60.other.dev")}/hide`)
    await isThere(service)
    expect(await sitesOf(service)).toContain(host)
    const before = (await service.ask(EXPORT)).headers.get("etag")
    expect((await takeOut(id)).status).toBeLessThan(300)
    const next = await fetch(service.url + EXPORT)
    if (next.status === 200) expect(await next.text()).not.toContain(host)
    else expect(next.status).toBe(404)
    await isThere(service)
    expect(await sitesOf(service)).toEqual(["docs70.stays.dev"])
    expect((await service.ask(EXPORT)).headers.get("etag")).not.toBe(before)
    expect(await service.stores(Moderation.use(({ find }) => find(stays)))).toMatchObject({ hidden: false })
  })

  it("leaves the snapshot alone where a run is shown again, or a change changes nothing", async () => {
    await service.admin("POST", "/sites/block", { site: "nobody.dev" })
    await isThere(service)
    const before = (await service.ask(EXPORT)).headers.get("etag")
    await service.admin("POST", "/sites/block", { site: "nobody.dev", reason: "again" })
    await service.admin("POST", `/runs/${stays}/show`)
    expect((await service.ask(EXPORT)).headers.get("etag")).toBe(before)
  })
})

describe.skipIf(!postgres.available)("two processes on one PostgreSQL", () => {
  it("serve the same snapshot, whichever made it, and neither does after a take-down by one", async () => {
    const { remove, url } = await ownPostgres()
    const env = { DOCGAUGE_DATABASE_URL: url, DOCGAUGE_TARGET_WINDOW: "off" }
    const [worker, web] = [
      await startAdminService({ env, pace: "100 millis" }),
      await startAdminService({ env: { ...env, DOCGAUGE_ROLE: "web" } })
    ]
    await worker.submit({ base_url: "https://docs70.stays.dev" })
    await worker.submit({ base_url: "https://docs50.leaves.dev" })
    // It may have been made before the second audit had ended.
    await worker.admin("POST", "/sites/block", { site: "nobody.dev" })
    const tagOf = async (service: TestService) => (await service.ask(EXPORT)).headers.get("etag")
    await isThere(web)
    expect([await sitesOf(web), await tagOf(web)]).toEqual([await sitesOf(worker), await tagOf(worker)])
    expect(await sitesOf(web)).toContain("docs50.leaves.dev")
    await web.admin("POST", "/sites/takedown", { site: "docs50.leaves.dev" })
    for (const service of [worker, web]) {
      const answer = await service.ask(EXPORT)
      if (answer.status === 200) expect(await answer.text()).not.toContain("leaves")
      else expect(answer.status).toBe(404)
    }
    await isThere(web)
    expect(await sitesOf(web)).toEqual(["docs70.stays.dev"])
    await worker.stop()
    await web.stop()
    await remove()
  })
})

import type { RequestListener } from "node:http"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { signingKeyOf } from "../../../engine/audit/signature/ReportSignature.ts"
import { freePort } from "../../harness/port/FreePort.ts"
import { type AnyService, anyService } from "../../server/AnyService.ts"
import { reportOf } from "../../server/ScriptedAuditor.ts"
import { startService, type TestService } from "../../server/TestService.ts"
import { runHere } from "../RunHere.ts"
import { ISSUER, KEY, signedRun } from "./SignedRun.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-verify-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const fileOf = (content: unknown): string => {
  const path = join(folder, `${(files += 1)}.json`)
  writeFileSync(path, typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content))
  return path
}

const verify = (...args: ReadonlyArray<string>) => runHere(["verify", ...args])

const HERE = ["--allow-private", "--allow-http"] as const

const KEYS = fileOf({ keys: [KEY.published] })

describe("docgauge verify with a service", () => {
  let service: TestService
  let id = ""
  let report = ""
  let signature = ""
  let run: { readonly report: unknown; readonly signature: string }

  beforeAll(async () => {
    const port = await freePort()
    service = await startService({
      env: { PORT: String(port), DOCGAUGE_BASE_URL: `http://127.0.0.1:${port}`, DOCGAUGE_ALLOW_PRIVATE: "true" }
    })
    const response = await service.submit({ base_url: "https://docs71.signed.dev" })
    id = response.headers.get("x-audit-run-id") ?? ""
    signature = response.headers.get("x-audit-signature") ?? ""
    report = await response.text()
    run = JSON.parse(await (await service.ask(`/api/public/audit/${id}`)).text())
  })
  afterAll(() => service.stop())

  it("says of its run in three lines what is signed, by whom and with which key", async () => {
    const { code, stderr, stdout } = await verify(fileOf(run), "--issuer", `${service.url}/`, ...HERE)
    expect([code, stderr]).toEqual([0, ""])
    const [about, by, key, ...rest] = stdout.split("\n")
    expect(about).toMatch(
      /^Valid: https:\/\/docs71\.signed\.dev, 71 of 100 \(docs-ai-readiness 1\.0\.0\), run [-\da-f]{36} of 2\d{3}-.*Z\.$/
    )
    expect(about).toContain(id)
    expect(by).toBe(`Signed by ${service.url}, as demanded.`)
    expect(key).toMatch(
      /^With the key [-\w]{43}, published at http:\/\/127\.0\.0\.1:\d+\/\.well-known\/docgauge-keys\.json\.$/
    )
    expect(rest).toEqual([""])
  })

  it("names the service and asks whether to trust it, if none is demanded", async () => {
    expect((await verify(fileOf(run), ...HERE)).stdout.split("\n")[1]).toBe(
      `Signed by ${service.url}. Make sure that you trust this service: --issuer URL demands one.`
    )
  })

  it("takes the report alone with the signature of its response, which is that of the run", async () => {
    expect(signature).toBe(run.signature)
    expect(await verify(fileOf(report), "--signature", signature, ...HERE)).toMatchObject({ code: 0 })
    const page = await service.ask(`/r/${id}.json`)
    const alone = await page.text()
    expect(
      await verify(fileOf(alone), "--signature", `${page.headers.get("x-audit-signature")}\n`, ...HERE)
    ).toMatchObject({
      code: 0
    })
  })

  it("takes the report of a run as another program writes it", async () => {
    const path = fileOf(JSON.stringify(run.report, null, 8))
    expect(await verify(path, "--signature", signature, ...HERE)).toMatchObject({ code: 0 })
  })

  it("needs no network with keys that were saved", async () => {
    const keys = fileOf(await (await service.ask("/.well-known/docgauge-keys.json")).text())
    const { code, stdout } = await verify(fileOf(run), "--issuer", service.url, "--keys", keys)
    expect([code, stdout.split("\n")[2]]).toEqual([0, expect.stringContaining(`, of ${keys}.`)])
  })

  it("does not ask a service on this machine unless that is allowed", async () => {
    expect(await verify(fileOf(run))).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("plain http is not allowed")
    })
    expect(await verify(fileOf(run), "--allow-http")).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("not public")
    })
  })

  it("says as JSON what is signed, or why it is not", async () => {
    const { stdout } = await verify(fileOf(run), "--format", "json", ...HERE)
    expect(JSON.parse(stdout)).toMatchObject({
      valid: true,
      issuer: service.url,
      run_id: id,
      base_url: "https://docs71.signed.dev",
      total_score: 71,
      reliable: true,
      rubric: { id: "docs-ai-readiness", version: "1.0.0" },
      unsigned: []
    })
    const { signature: _, ...bare } = run
    const failed = await verify(fileOf(bare), "--format", "json")
    expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([1, { valid: false, reason: "not_signed" }])
  })
})

describe("docgauge verify of what is not signed", () => {
  it("says so of a report that the command line made, and what to do", async () => {
    const { code, stderr, stdout } = await verify(fileOf(reportOf("https://docs.local.dev")))
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(
      / is not signed: only reports of a service are, .* pass its X-Audit-Signature with --signature\./
    )
  })

  it("says so of a run without a signature", async () => {
    const { signature: _, ...run } = await signedRun()
    const { code, stderr } = await verify(fileOf(run), "--keys", KEYS)
    expect([code, stderr]).toEqual([1, expect.stringContaining("Get the run again from the service")])
  })

  it("names members that the signature does not cover", async () => {
    const { code, stdout } = await verify(
      fileOf({ ...(await signedRun()), note: "best docs", award: 1 }),
      "--keys",
      KEYS
    )
    expect([code, stdout.split("\n")[3]]).toEqual([0, "Not signed: note, award."])
  })
})

describe("docgauge verify refuses", () => {
  const expectRefusal = async (content: unknown, message: RegExp, ...args: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await verify(fileOf(content), "--keys", KEYS, ...args)
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(message)])
  }

  it.each([
    ["run_id", "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0c"],
    ["status", "running"],
    ["total_score", 79],
    ["reliable", false],
    ["base_url", "https://docs.other.dev"],
    ["started_at", "2026-11-22T10:14:03.512874Z"],
    ["share_url", "https://evil.example/r/1"]
  ])("another %s", async (name, value) => {
    await expectRefusal(
      { ...(await signedRun()), [name]: value },
      new RegExp(`changed after it was signed \\(${name}\\)`)
    )
  })

  it("another report under the signature", async () => {
    const report = reportOf("https://docs.signed.dev", 79)
    await expectRefusal({ ...(await signedRun()), total_score: 79, report }, /changed after it was signed \(report\)/)
  })

  it("the signature of another service, before it asks that for anything", async () => {
    const { code, stderr } = await verify(
      fileOf(await signedRun({ issuer: "https://127.0.0.1:9" })),
      "--issuer",
      ISSUER
    )
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("names https://127.0.0.1:9 as the service that signed it, not https://docgauge.example")
    ])
  })

  it("a service whose URL is not spelt as URLs are, such as one that only looks like another", async () => {
    for (const issuer of [
      "https://docgauge.example#",
      "https://docgäuge.example",
      "https://DOCGAUGE.example",
      "data:,x"
    ])
      await expectRefusal(await signedRun({ issuer }), /the service that it names is no URL of one/)
  })

  it("a key that is not among those of the service", async () => {
    await expectRefusal(
      await signedRun({ key: await signingKeyOf(new Uint8Array(32).fill(8)) }),
      /The key [-\w]{43}, which .* names, is not among those of .*\. If the service has a new key/
    )
  })

  it("a signature that another key made in the name of this one", async () => {
    const other = await signingKeyOf(new Uint8Array(32).fill(8))
    await expectRefusal(await signedRun({ key: { ...other, id: KEY.id } }), /was not made with the key/)
  })

  it("a document that other programs may read otherwise", async () => {
    const text = JSON.stringify(await signedRun())
    await expectRefusal(
      text.replace('"total_score":78', '"total_score":100,"total_score":78'),
      /two members of one name/
    )
    await expectRefusal(
      text.replace('"status":"present"', '"st\\u0061tus":"absent","status":"present"'),
      /two members of one name/
    )
  })

  it("a signature that is none", async () => {
    await expectRefusal({ ...(await signedRun()), signature: "" }, /not a JSON Web Signature/)
    await expectRefusal({ ...(await signedRun()), signature: 1 }, /is not signed/)
    await expectRefusal(reportOf("https://docs.signed.dev"), /not a JSON Web Signature/, "--signature", "abc")
  })
})

describe("docgauge verify ends with 2", () => {
  it.each([
    ["a file that is not there", join(folder, "missing.json"), /cannot read/],
    ["a folder", folder, /cannot read/],
    ["what is not JSON", fileOf("{"), /is not a run or a report/],
    ["a list", fileOf([]), /is not a run or a report/],
    ["another document", fileOf({ a: 1 }), /is not a run or a report/],
    ["bytes that are not UTF-8", fileOf(Buffer.from([0x7b, 0xff, 0x7d])), /is not UTF-8/],
    ["a number that is none", fileOf('{"criteria":[1e999]}'), /is not a run or a report/],
    ["a run that is not done", fileOf({ run_id: "x", status: "pending" }), /a run without a report/],
    ["what is nested too deep", fileOf(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`), /deeper than 64 levels/],
    ["what is too large", fileOf(`"${"x".repeat(16 * 2 ** 20)}"`), /larger than 16,777,216 bytes/]
  ])("for %s", async (_, path, message) => {
    const { code, stderr } = await verify(path, "--keys", KEYS)
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })

  it.each([
    ["a file that is no key set", ["--keys", fileOf({ key: 1 })], /is not a key set/],
    ["a key set that is too large", ["--keys", fileOf(`"${"x".repeat(70_000)}"`)], /larger than 65,536 bytes/],
    ["an issuer that is no URL", ["--issuer", "docgauge.example"], /--issuer takes the URL/],
    ["a flag without effect", ["--keys", KEYS, "--allow-private"], /--allow-private has no effect/],
    ["two signatures", ["--keys", KEYS, "--signature", "x"], /Leave --signature out/]
  ])("for %s", async (_, args, message) => {
    const { code, stderr } = await verify(fileOf(await signedRun()), ...args)
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })
})

describe("docgauge verify ends with 4 if the keys cannot be read:", () => {
  /** Verifies a run that names a server with these answers. */
  const against = async (listener: RequestListener, path = "") => {
    const server: AnyService = await anyService(listener)
    try {
      return await verify(fileOf(await signedRun({ issuer: server.url + path })), ...HERE)
    } finally {
      await server.stop()
    }
  }

  it("a redirect is not followed, and named", async () => {
    const asked: Array<string | undefined> = []
    const { code, stderr } = await against((request, response) => {
      asked.push(request.url)
      response.writeHead(302, { location: "/elsewhere.json" }).end()
    }, "/base")
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/answered 302, a redirect to \/elsewhere\.json, which is not followed/)
    ])
    expect(asked).toEqual(["/base/.well-known/docgauge-keys.json"])
  })

  it("nothing is there, or no key set", async () => {
    expect(await against((_, response) => response.writeHead(404).end())).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("answered 404. Save its keys")
    })
    expect(await against((_, response) => response.end("[]"))).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("is not a key set")
    })
    expect(await against((_, response) => response.end(`{"keys":[${" ".repeat(70_000)}]}`))).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("is not a key set")
    })
  })

  it("it is not a public host, or has no https", async () => {
    expect(await verify(fileOf(await signedRun({ issuer: "https://10.0.0.1" })))).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("not public")
    })
    expect(await verify(fileOf(await signedRun({ issuer: "http://docgauge.example" })), ...HERE)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("is not https, so anybody on the way could have made the keys")
    })
  })

  it("it is on this machine, and the flags for that are missing", async () => {
    expect(await verify(fileOf(await signedRun({ issuer: "http://localhost:8080" })))).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(
        "A service on this machine needs --allow-private and, without https, --allow-http."
      )
    })
  })

  it("says so as JSON", async () => {
    const { code, stdout } = await verify(fileOf(await signedRun({ issuer: "https://10.0.0.1" })), "--format", "json")
    expect([code, JSON.parse(stdout)]).toMatchObject([4, { valid: false, reason: "unreadable_keys" }])
  })
})

describe("docgauge verify of what a stranger signed", () => {
  it("names the stranger, whose keys are fetched from where it says", async () => {
    const server = await anyService((_, response) => response.end(JSON.stringify({ keys: [KEY.published] })))
    const { code, stdout } = await verify(fileOf(await signedRun({ issuer: server.url })), ...HERE)
    await server.stop()
    expect([code, stdout.split("\n")[1]]).toEqual([0, expect.stringContaining(`Signed by ${server.url}. Make sure`)])
  })

  it("prints nothing that moves a cursor", async () => {
    const report = {
      ...reportOf("https://docs.signed.dev", 78),
      rubric: { id: "\u001b[31mred", version: "1\u202e", digest: "x" }
    }
    const { code, stdout } = await verify(fileOf(await signedRun({ report })), "--keys", KEYS)
    expect([code, /[^\n\P{C}]/u.test(stdout)]).toEqual([0, false])
  })
})

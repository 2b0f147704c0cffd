import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../TestService.ts"

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const form = (fields: Record<string, string>, query = "", headers: Record<string, string> = {}) =>
  service.ask(`/audit${query}`, { method: "POST", headers, body: new URLSearchParams(fields) })

it("POST /audit refuses a name that leads into a range that the operator refuses", async () => {
  const refusing = await startService({
    lookup: () => Promise.resolve(["93.184.216.34", "203.119.1.1"]),
    env: { DOCGAUGE_REFUSED_RANGES: "198.41.0.0/24, 203.119.0.0/16" }
  })
  const answer = await refusing.submit({ base_url: "https://docs.inside.dev" })
  expect([answer.status, await answer.json()]).toEqual([
    400,
    {
      error:
        "base_url cannot be audited: docs.inside.dev does not resolve to a public IP address that this service contacts.",
      code: "not_public_address"
    }
  ])
  await refusing.stop()
})

describe("POST /audit, synchronous", () => {
  it("answers 200 with the report at top level", async () => {
    const answer = await service.submit({ base_url: "https://docs.sync-one.dev" })
    expect(answer.status).toBe(200)
    expect(answer.headers.get("content-type")).toBe("application/json")
    expect(await answer.json()).toMatchObject({
      base_url: "https://docs.sync-one.dev",
      total_score: 60,
      max_score: 100
    })
  })

  it("says MISS for a new audit and HIT for a cached report, with the same bytes", async () => {
    const [first, second] = [
      await service.submit({ base_url: "https://docs.sync-two.dev" }),
      await service.submit({ base_url: "https://docs.sync-two.dev/" })
    ]
    expect([first.headers.get("x-audit-cache"), second.headers.get("x-audit-cache")]).toEqual(["MISS", "HIT"])
    expect(second.headers.get("x-audit-run-id")).toBe(first.headers.get("x-audit-run-id"))
    expect(await second.text()).toBe(await first.text())
  })

  it("says which query and fragment play no part, and takes the URL without them for the same", async () => {
    const [first, second] = [
      await service.submit({ base_url: "https://docs.sync-query.dev/?a=1#top" }),
      await service.submit({ base_url: "https://docs.sync-query.dev?a=2" })
    ]
    expect([first, second].map(({ headers }) => headers.get("x-audit-left-out"))).toEqual(["?a=1#top", "?a=2"])
    expect(second.headers.get("x-audit-run-id")).toBe(first.headers.get("x-audit-run-id"))
    expect(await second.json()).toMatchObject({ base_url: "https://docs.sync-query.dev" })
  })

  it("carries the diagnostics envelope, base64 of JSON", async () => {
    const answer = await service.submit({ base_url: "https://docs.sync-three.dev" })
    const envelope: unknown = JSON.parse(
      Buffer.from(answer.headers.get("x-audit-diagnostics") ?? "", "base64").toString()
    )
    expect(envelope).toEqual({
      run_id: answer.headers.get("x-audit-run-id"),
      rubric: { id: "docs-ai-readiness", version: "1.0.0", digest: "sha256:0" },
      engine_version: "0.1.0",
      duration_ms: 1_200,
      requests: 80,
      bytes: 500_000,
      flags: [],
      skipped: []
    })
  })

  it("links to the page of the run and must not be stored", async () => {
    const answer = await service.submit({ base_url: "https://docs.sync-four.dev" })
    expect(answer.headers.get("link")).toBe(`</r/${answer.headers.get("x-audit-run-id")}>; rel="alternate"`)
    expect(answer.headers.get("cache-control")).toBe("no-store")
  })

  it("has a report without run ids", async () => {
    const answer = await service.submit({ base_url: "https://docs.sync-five.dev" })
    expect(await answer.text()).not.toContain(answer.headers.get("x-audit-run-id"))
  })

  it("answers 422 without code if the site cannot be reached", async () => {
    const answer = await service.submit({ base_url: "https://unreachable.sync.dev" })
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { error: "https://unreachable.sync.dev could not be reached." }
    ])
  })

  it("answers 422 audit_failed if the site responds but no page can be read", async () => {
    const answer = await service.submit({ base_url: "https://failing.sync.dev" })
    expect([answer.status, await answer.json()]).toMatchObject([422, { code: "audit_failed" }])
  })

  it("answers 500 internal if the audit fails by a defect, with the reason in the log only", async () => {
    const answer = await service.submit({ base_url: "https://broken.sync-six.dev" })
    const body: unknown = await answer.json()
    expect([answer.status, body]).toMatchObject([500, { code: "internal" }])
    expect(JSON.stringify(body)).not.toContain("secret")
    const id = body !== null && typeof body === "object" && "request_id" in body ? String(body.request_id) : "none"
    expect(service.logs.some((line) => line.includes(id) && line.includes("request failed"))).toBe(true)
  })
})

describe("POST /audit?async=true", () => {
  it("answers 202 at once with run_id, status pending, poll_url and share_url", async () => {
    const answer = await service.submit({ base_url: "https://held.async-one.dev" }, "?async=true")
    const { run_id, ...rest } = (await answer.json()) as { run_id: string }
    expect(answer.status).toBe(202)
    expect(run_id).toMatch(UUID_V7)
    expect(rest).toEqual({ status: "pending", poll_url: `/api/public/audit/${run_id}`, share_url: `/r/${run_id}` })
  })

  it("joins requests for one URL to one run", async () => {
    const ids = await Promise.all(
      ["", "/", ""].map(async (slash) =>
        (await service.submit({ base_url: `https://held.async-two.dev${slash}` }, "?async=true")).headers.get(
          "x-audit-run-id"
        )
      )
    )
    expect(new Set(ids).size).toBe(1)
  })

  it("returns the run that is done within the window, with status pending", async () => {
    const done = await service.submit({ base_url: "https://docs.async-three.dev" })
    const answer = await service.submit({ base_url: "https://docs.async-three.dev" }, "?async=true")
    expect(await answer.json()).toMatchObject({ status: "pending", run_id: done.headers.get("x-audit-run-id") })
  })

  it("waits with async=false", async () => {
    expect((await service.submit({ base_url: "https://docs.async-four.dev" }, "?async=false")).status).toBe(200)
  })

  it("is done after a while, as polling shows", async () => {
    const { poll_url } = (await (
      await service.submit({ base_url: "https://docs77.async-five.dev" }, "?async=true")
    ).json()) as { poll_url: string }
    await expect
      .poll(async () => ((await (await service.ask(poll_url)).json()) as { status: string }).status)
      .toBe("done")
    expect(await (await service.ask(poll_url)).json()).toMatchObject({ total_score: 77, report: { total_score: 77 } })
  })
})

describe("POST /audit from a form", () => {
  it("answers 200 and the report without async", async () => {
    const answer = await form({ base_url: "https://docs.form-one.dev" })
    expect([answer.status, await answer.json()]).toMatchObject([200, { base_url: "https://docs.form-one.dev" }])
  })

  it("redirects with 303 to the page of the run with async", async () => {
    const answer = await form({ base_url: "https://docs.form-two.dev" }, "?async=true")
    expect(answer.status).toBe(303)
    expect(answer.headers.get("location")).toBe(`/r/${answer.headers.get("x-audit-run-id")}`)
    expect(await answer.text()).toBe("")
  })

  it("is refused with the same status, as a page if that is preferred", async () => {
    const answer = await form({ base_url: "http://docs.form-three.dev/<b>" }, "", {
      accept: "text/html,application/json;q=0.8"
    })
    expect(answer.status).toBe(400)
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(await answer.text()).toContain("We only audit https URLs")
  })

  it.each(["docs", "not a url", "", "https://", "docs.nowhere.invalid/x"])(
    "has one status for %j, as a page and as JSON",
    async (typed) => {
      const [page, json] = [
        await form({ base_url: typed }, "", { accept: "text/html" }),
        await form({ base_url: typed })
      ]
      expect(page.status).toBe(json.status)
    }
  )

  it("is refused in JSON otherwise", async () => {
    const answer = await form({ base_url: "http://docs.form-four.dev" })
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: "http_not_supported" }])
  })
})

describe("a site with an internationalised name", () => {
  const [given, plain] = ["https://bücher.idn.dev/docs", "https://xn--bcher-kva.idn.dev/docs"]

  it("is reported as given, and identified by its A-label in any spelling", async () => {
    const first = await service.submit({ base_url: "https://BÜCHER.idn.dev/docs/" })
    const [id, bytes] = [first.headers.get("x-audit-run-id"), await first.text()]
    expect(JSON.parse(bytes)).toMatchObject({ base_url: given })
    expect(await (await service.ask(`/api/public/audit/${id}`)).json()).toMatchObject({
      base_url: given,
      report: { base_url: given }
    })
    for (const spelling of [plain, given]) {
      const again = await service.submit({ base_url: spelling })
      expect([again.headers.get("x-audit-cache"), again.headers.get("x-audit-run-id"), await again.text()]).toEqual([
        "HIT",
        id,
        bytes
      ])
    }
    expect(await (await service.ask(`/api/public/audit/${id}/history`)).json()).toMatchObject({
      base_url: given,
      base_url_norm: "xn--bcher-kva.idn.dev/docs"
    })
    for (const query of ["bücher.idn", "xn--bcher-kva.idn"]) {
      expect(
        await (await service.ask(`/api/public/browse/search?q=${encodeURIComponent(query)}`)).json()
      ).toMatchObject({ hits: [{ base_url: "xn--bcher-kva.idn.dev/docs", canonical_url: given }] })
    }
  })

  it("is joined in any spelling", async () => {
    const ids = await Promise.all(
      ["https://held.bücher.dev", "https://held.xn--bcher-kva.dev"].map(async (base_url) =>
        (await service.submit({ base_url }, "?async=true")).headers.get("x-audit-run-id")
      )
    )
    expect(new Set(ids).size).toBe(1)
  })
})

describe("an audit that takes longer than a request waits", () => {
  it("gets a 504 without code that says where to poll the run, which continues", async () => {
    const patient = await startService({ ceiling: "300 millis" })
    const answer = await patient.submit({ base_url: "https://held.ceiling.dev" })
    const id = answer.headers.get("x-audit-run-id")
    expect([answer.status, JSON.parse(await answer.text())]).toEqual([
      504,
      {
        error: "The audit has not ended after 120 s, and continues. Poll the run at poll_url; do not submit again.",
        run_id: id,
        status: "pending",
        poll_url: `/api/public/audit/${id}`,
        share_url: `/r/${id}`
      }
    ])
    expect(["retry-after", "cache-control"].map((name) => answer.headers.get(name))).toEqual(["3", "no-store"])
    const page = await patient.ask("/audit", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
      body: "base_url=https%3A%2F%2Fheld.ceiling.dev"
    })
    const html = await page.text()
    expect([page.status, html]).toEqual([
      504,
      expect.stringContaining(
        `The audit has not ended after 120 s, and continues. <a href="/r/${id}">Open the report</a>`
      )
    ])
    const joined = await patient.submit({ base_url: "https://held.ceiling.dev" }, "?async=true")
    patient.auditor.release()
    const statusNow = async (): Promise<unknown> =>
      (
        (await (await patient.ask(`/api/public/audit/${joined.headers.get("x-audit-run-id")}`)).json()) as {
          status: unknown
        }
      ).status
    await expect.poll(statusNow).toBe("done")
    expect([joined.headers.get("x-audit-run-id"), patient.auditor.audits()]).toEqual([id, 1])
    await patient.stop()
  })
})

describe("a client that disconnects", () => {
  it("does not stop the run that others wait for", async () => {
    const leaving = new AbortController()
    const asked = service.submit({ base_url: "https://held.hangup.dev" }).catch(() => null)
    const gone = fetch(`${service.url}/audit`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ base_url: "https://held.hangup.dev" }),
      signal: leaving.signal
    }).catch(() => null)
    await new Promise((resolve) => setTimeout(resolve, 200))
    leaving.abort()
    await gone
    service.auditor.release()
    expect((await asked)?.status).toBe(200)
  })
})

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../TestService.ts"

let service: TestService
beforeAll(async () => {
  service = await startService({
    env: {
      DOCGAUGE_SUBMIT_RATE: "2/60s",
      // Windows so long that no bucket refills within a test, however slow the machine.
      DOCGAUGE_POLL_RATE: "3/300s",
      DOCGAUGE_BROWSE_RATE: "2/120s",
      DOCGAUGE_SITE_QUOTA: "1/24h",
      DOCGAUGE_HOST_BUDGET: "810/1h",
      DOCGAUGE_TRUST_PROXY: "1"
    }
  })
})
afterAll(() => service.stop())

const from = (client: string) => ({ "x-forwarded-for": client })

interface LimitBody {
  readonly code?: string
  readonly retry_after?: number
  readonly run_id?: string
  readonly share_url?: string
}

const bodyOf = async (answer: Response): Promise<LimitBody> => JSON.parse(await answer.text())

const expectRefusal = async (answer: Response, code: string, policy: string): Promise<LimitBody> => {
  const body = await bodyOf(answer)
  expect([answer.status, body.code]).toEqual([429, code])
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
  expect(body.retry_after).toBe(Number(answer.headers.get("retry-after")))
  expect(answer.headers.get("ratelimit")).toMatch(new RegExp(`^"${policy}";r=\\d+;t=\\d+$`))
  expect(answer.headers.get("ratelimit-policy")).toMatch(new RegExp(`^"${policy}";q=\\d+;w=\\d+$`))
  return body
}

describe("the rate of POST /audit", () => {
  it("permits two, then says when the next is allowed", async () => {
    const submit = (host: string) => service.submit({ base_url: `https://${host}` }, "", from("198.51.100.1"))
    expect((await submit("a.rate.dev")).status).toBe(200)
    expect((await submit("b.rate-two.dev")).status).toBe(200)
    const { retry_after } = await expectRefusal(await submit("c.rate-three.dev"), "rate_limited", "submit")
    expect(retry_after).toBeLessThanOrEqual(30)
  })

  it("does not count malformed requests", async () => {
    for (let request = 0; request < 5; request++) await service.submit("{", "", from("198.51.100.2"))
    expect((await service.submit({ base_url: "https://docs.rate-four.dev" }, "", from("198.51.100.2"))).status).toBe(
      200
    )
  })

  it("counts IPv6 clients by /64", async () => {
    const submit = (client: string, host: string) => service.submit({ base_url: `https://${host}` }, "", from(client))
    await submit("2001:4860:1:2::1", "a.six-one.dev")
    await submit("2001:4860:1:2::2", "a.six-two.dev")
    expect((await submit("2001:4860:1:2:ffff::3", "a.six-three.dev")).status).toBe(429)
    expect((await submit("2001:4860:1:3::1", "a.six-four.dev")).status).toBe(200)
  })
})

describe("what is left of a limit", () => {
  const fieldsOf = ({ headers, status }: Response) => [
    status,
    headers.get("ratelimit-policy"),
    /^"(\w+)";r=(\d+);t=\d+$/
      .exec(headers.get("ratelimit") ?? "")
      ?.slice(1)
      .join(" ")
  ]

  it("is in every response to a submission, accepted, joined or refused for its content", async () => {
    const client = from("198.51.100.40")
    const submit = (base_url: string, query = "?async=true") => service.submit({ base_url }, query, client)
    const policy = '"submit";q=2;w=60'
    expect(fieldsOf(await submit("http://docs.left-over.dev"))).toEqual([400, policy, "submit 2"])
    expect(fieldsOf(await submit("https://held.left-over.dev"))).toEqual([202, policy, "submit 1"])
    expect(fieldsOf(await submit("https://docs.left-too.dev", ""))).toEqual([200, policy, "submit 0"])
    expect(fieldsOf(await submit("https://docs.left-out.dev"))).toEqual([429, policy, "submit 0"])
    service.auditor.release()
  })

  it("is in every response to a read: found, not found, not modified or malformed", async () => {
    const browsing = { headers: from("198.51.100.41") }
    const first = await service.ask("/api/public/browse/summary", browsing)
    expect(fieldsOf(first)).toEqual([200, '"browse";q=2;w=120', "browse 1"])
    const again = await service.ask("/api/public/browse/summary", {
      headers: { ...browsing.headers, "if-none-match": first.headers.get("etag") ?? "" }
    })
    expect(fieldsOf(again)).toEqual([304, '"browse";q=2;w=120', "browse 0"])
    const poll = async (id: string) => fieldsOf(await service.ask(`/api/public/audit/${id}`, browsing))
    expect(await poll("01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b")).toEqual([404, '"poll";q=3;w=300', "poll 2"])
    expect(await poll("7")).toEqual([400, '"poll";q=3;w=300', "poll 1"])
  })

  it("is said nowhere else", async () => {
    expect((await service.ask("/openapi.json")).headers.get("ratelimit")).toBeNull()
  })
})

describe("a double click", () => {
  it("joins the audit and costs no submission, as long as the client may read runs", async () => {
    const client = from("198.51.100.50")
    const click = async (base_url: string) => {
      const answer = await service.submit({ base_url }, "?async=true", client)
      return [answer.status, /r=\d+/.exec(answer.headers.get("ratelimit") ?? "")?.[0]]
    }
    expect(await click("https://held.double-click.dev")).toEqual([202, "r=1"])
    for (let again = 0; again < 3; again++) expect(await click("https://held.double-click.dev")).toEqual([202, "r=1"])
    // The three reads of the limit in this test are used up.
    expect(await click("https://held.double-click.dev")).toEqual([202, "r=0"])
    expect(await click("https://held.double-click.dev")).toEqual([429, "r=0"])
    service.auditor.release()
  })
})

describe("an unfinished run", () => {
  it("says when to read it again, and an accepted one also where", async () => {
    const accepted = await service.submit(
      { base_url: "https://held.unfinished.dev" },
      "?async=true",
      from("192.0.77.1")
    )
    const location = accepted.headers.get("location") ?? ""
    expect([accepted.headers.get("retry-after"), location]).toEqual([
      "3",
      `/api/public/audit/${accepted.headers.get("x-audit-run-id")}`
    ])
    const read = () => service.ask(location, { headers: from(`192.0.78.${reads++}`) })
    let reads = 1
    expect((await read()).headers.get("retry-after")).toBe("3")
    service.auditor.release()
    await expect.poll(async () => (await (await read()).text()).includes('"status":"done"')).toBe(true)
    expect((await read()).headers.get("retry-after")).toBeNull()
  })
})

describe("the quota of a site", () => {
  it("does not count cached reports", async () => {
    expect((await service.submit({ base_url: "https://docs.quota.dev" }, "", from("203.0.113.5"))).status).toBe(200)
    const before = service.auditor.audits()
    const answer = await service.submit({ base_url: "https://docs.quota.dev/" }, "", from("203.0.113.6"))
    expect(answer.status).toBe(200)
    expect(answer.headers.get("x-audit-cache")).toBe("HIT")
    expect(service.auditor.audits()).toBe(before)
  })

  it("is returned when the audit fails", async () => {
    expect((await service.submit({ base_url: "https://failing.back.dev" }, "", from("203.0.114.7"))).status).toBe(422)
    expect((await service.submit({ base_url: "https://failing.back.dev" }, "", from("203.0.114.8"))).status).toBe(422)
  })
})

describe("without a window", () => {
  it("answers 429 site_quota with run_id and share_url of the run to read", async () => {
    const strict = await startService({ env: { DOCGAUGE_SITE_QUOTA: "1/24h", DOCGAUGE_TARGET_WINDOW: "off" } })
    const first = await strict.submit({ base_url: "https://docs.quota-two.dev" })
    const body = await expectRefusal(
      await strict.submit({ base_url: "https://docs.quota-two.dev" }),
      "site_quota",
      "site"
    )
    expect(body).toMatchObject({
      run_id: first.headers.get("x-audit-run-id"),
      share_url: `/r/${first.headers.get("x-audit-run-id")}`
    })
    await strict.stop()
  })
})

describe("the budget of an audited domain", () => {
  it("permits three audits of 270 requests over all clients", async () => {
    const submit = (host: string, client: string) =>
      service.submit({ base_url: `https://${host}.budget.dev` }, "?async=true", from(client))
    for (const [index, host] of ["held", "b", "c"].entries())
      expect((await submit(host, `192.0.${index}.1`)).status).toBe(202)
    await expectRefusal(await submit("d", "192.0.9.1"), "rate_limited", "host")
    service.auditor.release()
  })

  it("names the newest report of a site that it refuses", async () => {
    const open = await startService({
      env: {
        DOCGAUGE_SITE_QUOTA: "off",
        DOCGAUGE_TARGET_WINDOW: "off",
        DOCGAUGE_SUBMIT_RATE: "off",
        DOCGAUGE_CLIENT_RUNS: "off",
        DOCGAUGE_HOST_BUDGET: "810/1h"
      }
    })
    const submit = (host: string, query = "?async=true") =>
      open.submit({ base_url: `https://${host}.read-instead.dev` }, query)
    const first = await submit("docs", "")
    for (const host of ["held", "b"]) expect((await submit(host)).status).toBe(202)
    const body = await expectRefusal(await submit("docs"), "rate_limited", "host")
    expect(body.share_url).toBe(`/r/${first.headers.get("x-audit-run-id")}`)
    open.auditor.release()
    await open.stop()
  })
})

describe("the rates of reads", () => {
  it("refuses the fourth poll within a moment, with no-store", async () => {
    const poll = () =>
      service.ask("/api/public/audit/01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b", { headers: from("198.51.100.9") })
    const answers = [await poll(), await poll(), await poll()]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    const refused = await poll()
    expect(refused.headers.get("cache-control")).toBe("no-store")
    await expectRefusal(refused, "rate_limited", "poll")
  })

  it("has a separate bucket for browsing", async () => {
    const browse = () => service.ask("/api/public/browse/summary", { headers: from("198.51.100.9") })
    expect([(await browse()).status, (await browse()).status]).toEqual([200, 200])
    await expectRefusal(await browse(), "rate_limited", "browse")
  })

  it("reads only the path of a request before its client is admitted", async () => {
    const ask = (path: string, method = "GET") => service.ask(path, { method, headers: from("198.51.100.10") })
    expect([(await ask("/api/public/audit/no-uuid")).status, (await ask("/api/public/nothing")).status]).toEqual([
      400, 404
    ])
    expect((await ask("/api/public/audit/no-uuid", "OPTIONS")).status).toBe(204)
    expect((await ask("/api/public/audit/no-uuid", "HEAD")).status).toBe(400)
    await expectRefusal(await ask("/api/public/audit/no-uuid"), "rate_limited", "poll")
  })

  it("normalises a path as the router does", async () => {
    const browse = (path: string) => service.ask(path, { headers: from("198.51.100.11") })
    expect([
      (await browse("/%61pi/public/%62rowse/summary")).status,
      (await browse("/%61pi/public/browse/summary;%zz")).status
    ]).toEqual([200, 200])
    await expectRefusal(await browse("/%61pi/public/browse/summary;%zz"), "rate_limited", "browse")
  })

  it("refills as time goes by", async () => {
    const brief = await startService({ env: { DOCGAUGE_BROWSE_RATE: "2/4s" } })
    const browse = async () => (await brief.ask("/api/public/browse/summary")).status
    const answers = [await browse()]
    while (answers.at(-1) === 200) answers.push(await browse())
    expect(answers.at(-1)).toBe(429)
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    expect(await browse()).toBe(200)
    await brief.stop()
  })

  it("ignores what clients claim without a trusted proxy", async () => {
    const plain = await startService({ env: { DOCGAUGE_BROWSE_RATE: "2/120s" } })
    const browse = (client: string) => plain.ask("/api/public/browse/summary", { headers: from(client) })
    expect([
      (await browse("1.1.1.1")).status,
      (await browse("1.1.1.2")).status,
      (await browse("1.1.1.3")).status
    ]).toEqual([200, 200, 429])
    expect(plain.logs.filter((line) => line.includes("DOCGAUGE_TRUST_PROXY"))).toHaveLength(1)
    await plain.stop()
  })
})

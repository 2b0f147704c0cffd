import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../../TestService.ts"

/** What names lead to here. */
const ADDRESSES: Readonly<Record<string, ReadonlyArray<string>>> = {
  "docs.public.dev": ["93.184.215.14"],
  "xn--bcher-kva.dev": ["93.184.215.14"],
  "private.public.dev": ["93.184.215.14", "10.0.0.7"],
  "loop.public.dev": ["127.0.0.1"],
  "six.public.dev": ["fd00::1"],
  "mapped.public.dev": ["::ffff:10.0.0.1"]
}

const lookup = (name: string): Promise<ReadonlyArray<string>> => {
  const found = ADDRESSES[name]
  return found === undefined
    ? Promise.reject(Object.assign(new Error("no such host"), { code: "ENOTFOUND" }))
    : Promise.resolve(found)
}

let service: TestService
beforeAll(async () => {
  service = await startService({ lookup })
})
afterAll(() => service.stop())

const GOOD = { base_url: "https://docs.public.dev" }

const post = (
  body: NonNullable<RequestInit["body"]>,
  headers: Record<string, string> = { "content-type": "application/json" }
) => service.ask("/audit", { method: "POST", headers, body })

/** Status and code; `null` where there is no code. */
const verdict = async (answer: Response): Promise<readonly [number, unknown]> => {
  const body: Readonly<Record<string, unknown>> = JSON.parse(await answer.text())
  return [answer.status, body["code"] ?? null]
}

describe("bodies that are not a request", () => {
  it.each([
    ["empty", "", 400],
    ["only blanks", "  \n", 400],
    ["not JSON", "base_url=https://docs.public.dev", 400],
    ["cut off", '{"base_url": "https://docs.pub', 400],
    ["an array", '["https://docs.public.dev"]', 400],
    ["a string", '"https://docs.public.dev"', 400],
    ["null", "null", 400],
    ["a number", "42", 400],
    ["two values", "{} {}", 400],
    ["deeply nested", `${"[".repeat(7_000)}${"]".repeat(7_000)}`, 400]
  ])("%s", async (_name, body, status) => {
    expect(await verdict(await post(body))).toEqual([status, null])
  })

  it("1 MB", async () =>
    expect(await verdict(await post(JSON.stringify({ ...GOOD, padding: "x".repeat(1_000_000) })))).toEqual([413, null]))

  it("just over 16 KB, in chunks of unknown length", async () => {
    const chunks = new ReadableStream({
      start: (controller) => {
        for (let chunk = 0; chunk < 17; chunk++) controller.enqueue(new TextEncoder().encode(" ".repeat(1_024)))
        controller.close()
      }
    })
    const answer = await service.ask("/audit", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: chunks,
      duplex: "half"
    })
    expect(await verdict(answer)).toEqual([413, null])
  })

  it("bytes that are not UTF-8", async () =>
    expect(await verdict(await post(new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])))).toEqual([400, null]))

  it.each([
    ["text/plain", { "content-type": "text/plain" }],
    ["XML", { "content-type": "application/xml" }],
    ["multipart", { "content-type": "multipart/form-data; boundary=x" }],
    ["JSON in another charset", { "content-type": "application/json; charset=utf-16" }],
    ["gzip", { "content-type": "application/json", "content-encoding": "gzip" }],
    ["no media type at all", { "content-type": "json" }],
    ["the name of what every object has", { "content-type": "constructor" }],
    ["the name of every object's prototype", { "content-type": "__proto__" }]
  ])("%s is 415", async (_name, headers) => {
    expect(await verdict(await post(JSON.stringify(GOOD), headers))).toEqual([415, null])
  })
})

describe("bodies that are still a request", () => {
  it.each([
    ["with a byte order mark", `\ufeff${JSON.stringify(GOOD)}`],
    ["with further fields", JSON.stringify({ ...GOOD, email: "a@b.c", nested: { deep: [1] } })],
    ["with a field twice: the last counts", '{"base_url": 7, "base_url": "https://docs.public.dev"}'],
    ["with blanks around", ` \r\n${JSON.stringify(GOOD)}\n`]
  ])("%s", async (_name, body) => {
    expect((await post(body)).status).toBe(200)
  })

  it.each(["application/json; charset=utf-8", "APPLICATION/JSON", 'application/json;charset="UTF-8"'])(
    "as %s",
    async (type) => {
      expect((await post(JSON.stringify(GOOD), { "content-type": type })).status).toBe(200)
    }
  )
})

describe("base_url", () => {
  it.each<readonly [unknown, number, string | null]>([
    [undefined, 400, "invalid_base_url"],
    [null, 400, "invalid_base_url"],
    ["", 400, "invalid_base_url"],
    [7, 400, "invalid_base_url"],
    [["https://docs.public.dev"], 400, "invalid_base_url"],
    [{ url: "https://docs.public.dev" }, 400, "invalid_base_url"],
    ["docs.public.dev", 400, "invalid_base_url"],
    ["/docs", 400, "invalid_base_url"],
    ["//docs.public.dev", 400, "invalid_base_url"],
    ["https://", 400, "invalid_base_url"],
    ["ftp://docs.public.dev", 400, "invalid_base_url"],
    ["javascript:alert(1)", 400, "invalid_base_url"],
    ["file:///etc/passwd", 400, "invalid_base_url"],
    ["https://docs.public.dev/#top", 200, null],
    ["https://docs.public.dev/?page=1", 200, null],
    ["https://user@docs.public.dev", 400, "invalid_base_url"],
    ["https://user:secret@docs.public.dev", 400, "invalid_base_url"],
    ["https://docs.public.dev:8443", 400, "invalid_base_url"],
    ["https://docs.public.dev:80", 400, "invalid_base_url"],
    [`https://docs.public.dev/${"x".repeat(3_000)}`, 400, "invalid_base_url"],
    ["https://93.184.215.14", 400, "invalid_base_url"],
    ["http://docs.public.dev", 400, "http_not_supported"],
    ["HTTP://docs.public.dev", 400, "http_not_supported"],
    ["https://127.0.0.1", 400, "not_public_address"],
    ["https://2130706433", 400, "not_public_address"],
    ["https://0x7f.1", 400, "not_public_address"],
    ["https://0177.0.0.1", 400, "not_public_address"],
    ["https://127.1", 400, "not_public_address"],
    ["https://①②⑦.0.0.1", 400, "not_public_address"],
    ["https://0.0.0.0", 400, "not_public_address"],
    ["https://10.1.2.3", 400, "not_public_address"],
    ["https://169.254.169.254", 400, "not_public_address"],
    ["https://168.63.129.16", 400, "not_public_address"],
    ["https://[::1]", 400, "not_public_address"],
    ["https://[::ffff:127.0.0.1]", 400, "not_public_address"],
    ["https://[fe80::1]", 400, "not_public_address"],
    ["https://localhost", 400, "not_public_address"],
    ["https://LOCALHOST.", 400, "not_public_address"],
    ["https://api.localhost", 400, "not_public_address"],
    ["https://printer.local", 400, "not_public_address"],
    ["https://vault.internal", 400, "not_public_address"],
    ["https://nas.home.arpa", 400, "not_public_address"],
    ["https://private.public.dev", 400, "not_public_address"],
    ["https://loop.public.dev", 400, "not_public_address"],
    ["https://six.public.dev", 400, "not_public_address"],
    ["https://mapped.public.dev", 400, "not_public_address"],
    ["https://nobody.public.dev", 422, null],
    ["https:///nobody", 400, "not_public_address"],
    ["https://docs.public.test", 400, "not_public_address"],
    ["https://api.default.svc", 400, "not_public_address"],
    ["https://docs..public.dev", 400, "invalid_base_url"],
    [`https://${"x".repeat(64)}.public.dev`, 400, "invalid_base_url"],
    ["https://docs.public.dev..", 200, null],
    ["https://docs.public.dev", 200, null],
    ["https://docs.public.dev/", 200, null],
    ["https://docs.public.dev///", 200, null],
    ["https://docs.public.dev:443", 200, null],
    ["  https://docs.public.dev  ", 200, null],
    ["https://DOCS.public.dev/Guide/", 200, null],
    ["https://bücher.dev", 200, null]
  ])("%j is answered with %i %s", async (baseUrl, status, code) => {
    expect(await verdict(await service.submit({ base_url: baseUrl }))).toEqual([status, code])
  })

  it("reports equal URLs equally", async () => {
    const ids = await Promise.all(
      [
        "https://docs.public.dev",
        "https://docs.public.dev/",
        "HTTPS://Docs.Public.dev:443//",
        "https://docs.public.dev..."
      ].map(async (base_url) => (await service.submit({ base_url }, "?async=true")).headers.get("x-audit-run-id"))
    )
    expect(new Set(ids).size).toBe(1)
  })

  it("is read from a form, too", async () => {
    const form = (fields: string) => post(fields, { "content-type": "application/x-www-form-urlencoded" })
    expect(await verdict(await form("base_url=https%3A%2F%2Fdocs.public.dev"))).toEqual([200, null])
    expect(await verdict(await form("url=x"))).toEqual([400, "invalid_base_url"])
    expect(await verdict(await form(""))).toEqual([400, null])
  })
})

describe("a form that cannot be submitted", () => {
  it.each([
    "",
    "url=x",
    "base_url=",
    "base_url=x",
    "base_url=http%3A%2F%2Fdocs.public.dev",
    "base_url=https%3A%2F%2F127.0.0.1",
    "base_url=%00%1b",
    `base_url=${"x".repeat(20_000)}`
  ])("gets one status, whether a person or a program sends it: %j", async (body) => {
    const statuses = await Promise.all(
      ["text/html", "application/json", "*/*", "text/html;q=0.5, application/json"].map(
        async (accept) => (await post(body, { accept, "content-type": "application/x-www-form-urlencoded" })).status
      )
    )
    expect(new Set(statuses).size).toBe(1)
    expect(statuses[0]).toBeGreaterThanOrEqual(400)
  })
})

describe("query parameters of POST /audit", () => {
  it.each(["1", "yes", "", "true&async=true", "TRUE"])("async=%s is 400 without code", async (value) => {
    expect(await verdict(await service.submit(GOOD, `?async=${value}`))).toEqual([400, null])
  })
})

describe("the order of refusals", () => {
  const strict = {
    DOCGAUGE_SUBMIT_RATE: "1/1h",
    DOCGAUGE_SITE_QUOTA: "1/24h",
    DOCGAUGE_TARGET_WINDOW: "off",
    DOCGAUGE_TRUST_PROXY: "1"
  }
  let limited: TestService
  beforeAll(async () => {
    limited = await startService({ env: strict, lookup })
  })
  afterAll(() => limited.stop())

  /** Each case from a client whose next request is one too many, and has all the later faults besides. */
  const exhausted = async (client: string): Promise<void> => {
    await limited.submit({ base_url: "https://nobody.public.dev" }, "", { "x-forwarded-for": client })
  }

  it.each<readonly [string, unknown, Record<string, string>, number, string | null]>([
    [
      "an unknown type before a body that is too large",
      "x".repeat(20_000),
      { "content-type": "text/plain" },
      415,
      null
    ],
    ["a body that is too large before one that is malformed", "x".repeat(20_000), {}, 413, null],
    ["a malformed body before the limit", "{", {}, 400, null],
    ["a bad address before the limit", { base_url: "x" }, {}, 400, "invalid_base_url"],
    ["http before the limit", { base_url: "http://nobody.public.dev" }, {}, 400, "http_not_supported"],
    ["a private literal before the limit", { base_url: "https://127.0.0.1" }, {}, 400, "not_public_address"],
    ["the limit before DNS", { base_url: "https://nobody.public.dev" }, {}, 429, "rate_limited"]
  ])("%s", async (name, body, headers, status, code) => {
    const client = `198.51.100.${name.length}`
    await exhausted(client)
    expect(await verdict(await limited.submit(body, "", { ...headers, "x-forwarded-for": client }))).toEqual([
      status,
      code
    ])
  })

  it("DNS before the quota", async () => {
    await limited.submit(GOOD, "", { "x-forwarded-for": "203.0.113.1" })
    expect(
      await verdict(
        await limited.submit({ base_url: "https://private.public.dev" }, "", { "x-forwarded-for": "203.0.113.2" })
      )
    ).toEqual([400, "not_public_address"])
    expect(await verdict(await limited.submit(GOOD, "", { "x-forwarded-for": "203.0.113.3" }))).toEqual([
      429,
      "site_quota"
    ])
  })

  it("an invalid query before all of them", async () => {
    expect(await verdict(await limited.submit("{", "?async=maybe"))).toEqual([400, null])
  })
})

import { load } from "cheerio"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { reportOf } from "../ScriptedAuditor.ts"
import { startService, type TestService } from "../TestService.ts"
import { HARM } from "./HostileReport.ts"
import { htmlFaults } from "./htmlCheck.ts"
import { keepEncoded, keepRun } from "./KeptRun.ts"

const PERSON = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }

const read = async (answer: Response) => {
  const text = await answer.text()
  expect(await htmlFaults(text)).toEqual([])
  return { status: answer.status, headers: answer.headers, $: load(text) }
}

/** Sends the form of the first page as a browser without scripts does. */
const send = (service: TestService, typed: string) =>
  service.ask("/audit?async=true", {
    method: "POST",
    headers: { ...PERSON, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ base_url: typed })
  })

const refusal = ({ $ }: { readonly $: ReturnType<typeof load> }) => ({
  error: $("#base-url-error").text(),
  typed: $("#base-url").attr("value"),
  isTold:
    $("#base-url").attr("aria-invalid") === "true" &&
    $("#base-url").attr("aria-describedby")?.includes("base-url-error")
})

describe("the home page", () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  it("has one field and one button, without figures of an empty corpus", async () => {
    const { $, headers, status } = await read(await service.ask("/", { headers: PERSON }))
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    const form = $("main form")
    expect([
      form.length,
      form.attr("method"),
      form.attr("action"),
      form.find("input").length,
      form.find("button").length
    ]).toEqual([1, "post", "/audit?async=true", 1, 1])
    expect([$(".looked-at dt").length, $("#corpus").length]).toEqual([6, 0])
  })

  it("leads from the form to the page of the run, without a script", async () => {
    const answer = await send(service, "https://docs66.form.dev")
    expect(answer.status).toBe(303)
    const path = answer.headers.get("location") ?? ""
    await expect
      .poll(async () => load(await (await service.ask(path, { headers: PERSON })).text())("[data-score]").text())
      .toBe("66")
  })

  it("accepts a URL without its scheme", async () => {
    expect((await send(service, " docs.bare.dev/path ")).status).toBe(303)
  })

  it.each([
    ["https://me@docs.ask.dev", 400, "This URL cannot be audited"],
    ["", 400, "Enter the URL of a documentation site."],
    [`https://me@x.dev/${HARM.script}?${HARM.attribute}`, 400, "This URL cannot be audited"],
    ["ftp:x", 400, "This URL cannot be audited"],
    ["https://docs.port.dev:8443", 400, "port 8443 is not allowed, leave it out."],
    ["https://127.0.0.1", 400, "127.0.0.1 is not public. Audit a private site from your own machine: npx docgauge"]
  ])("says beside the field why %j is not audited, and keeps it", async (typed, status, error) => {
    const page = await read(await send(service, typed))
    expect(page.status).toBe(status)
    expect(refusal(page)).toEqual({ error: expect.stringContaining(error), typed, isTold: true })
    expect([
      page.$("script:not([src])").length,
      page.$("[onmouseover]").length,
      page.headers.get("cache-control")
    ]).toEqual([0, 0, "no-store"])
  })

  it("offers the https URL instead of an http one", async () => {
    const page = await read(await send(service, "http://docs.plain.dev"))
    expect(page.status).toBe(400)
    expect(refusal(page)).toEqual({
      error: expect.stringContaining("We only audit https URLs"),
      typed: "https://docs.plain.dev",
      isTold: true
    })
  })

  it("refuses a body that is not our form", async () => {
    const form = (body: string) =>
      service.ask("/audit?async=true", {
        method: "POST",
        headers: { ...PERSON, "content-type": "application/x-www-form-urlencoded" },
        body
      })
    expect((await read(await form(`base_url=${"x".repeat(20_000)}`))).status).toBe(413)
    expect((await read(await form("base_url=%00%1b%e2%80%ae"))).status).toBe(400)
  })
})

describe("the home page with a corpus", () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ env: { DOCGAUGE_SITE_QUOTA: "1/1h", DOCGAUGE_TARGET_WINDOW: "off" } })
  })
  afterAll(() => service.stop())

  it("shows the latest audits and the best sites", async () => {
    for (const [index, score] of [20, 90, 50].entries())
      await keepRun(service, reportOf(`https://docs${index}.filled.dev`, score))
    const { $ } = await read(await service.ask("/", { headers: PERSON }))
    const lists = $(".site-scores")
      .toArray()
      .map((list) =>
        $(list)
          .find("li")
          .toArray()
          .map((entry) => $(entry).text().replace(/\s+/g, " ").trim())
      )
    expect(lists).toEqual([
      ["docs2.filled.dev 50", "docs1.filled.dev 90", "docs0.filled.dev 20"],
      ["docs1.filled.dev 90", "docs2.filled.dev 50", "docs0.filled.dev 20"]
    ])
    expect($(".sample h2").text()).toBe("docs1.filled.dev")
    expect($("#corpus").parent().text()).toContain("3 sites in 3 audits; 53 points on average.")
  })

  it("links to the documentation where it is", async () => {
    const moved = await startService({ env: { DOCGAUGE_DOCS_URL: "http://localhost:8080/manual" } })
    const { $ } = await read(await moved.ask("/", { headers: PERSON }))
    expect(
      $(".ways a[href^='/manual/']")
        .toArray()
        .map((link) => $(link).attr("href"))
    ).toEqual(["/manual/v1/cli", "/manual/v1/mcp-server"])
    const verifying = await moved.ask("/docs/v1/verify-site")
    expect([verifying.status, verifying.headers.get("location")]).toEqual([
      307,
      "http://localhost:8080/manual/v1/verify-site"
    ])
    await moved.stop()
  })

  it("is there without its sample where the report of the best site cannot be read", async () => {
    const damaged = await startService()
    await keepEncoded(damaged, reportOf("https://docs80.damaged.dev", 80), "{}")
    const { $, status } = await read(await damaged.ask("/", { headers: PERSON }))
    expect([status, $(".sample").length, $(".site-scores li").length]).toEqual([200, 0, 2])
    expect(
      damaged.logs.filter((line) => line.includes("the sample report of the home page could not be read"))
    ).toHaveLength(1)
    await damaged.stop()
  })

  it("links to the existing report if a site's quota is used up", async () => {
    const first = await send(service, "https://docs.quota.dev")
    expect(first.status).toBe(303)
    const path = first.headers.get("location") ?? ""
    await expect
      .poll(async () => load(await (await service.ask(path, { headers: PERSON })).text())("[data-score]").length)
      .toBe(1)
    const page = await read(await send(service, "https://docs.quota.dev"))
    expect([page.status, page.$("#base-url-error a").attr("href"), page.$("#base-url").attr("value")]).toEqual([
      429,
      path,
      "https://docs.quota.dev"
    ])
    expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0)
    // The quota of this service is not a daily one.
    expect(page.$("main").text()).toContain("We look for it when the limit would refuse an audit.")
  })
})

describe("without a database", () => {
  it("shows the report of a run without a history", async () => {
    const service = await startService({ env: { DOCGAUGE_DATABASE_URL: "memory:" } })
    const path = (await send(service, "https://docs.memory.dev")).headers.get("location") ?? ""
    await expect
      .poll(async () => load(await (await service.ask(path, { headers: PERSON })).text())("[data-score]").text())
      .toBe("60")
    const { $ } = await read(await service.ask(path, { headers: PERSON }))
    expect([$("#history").length, $("#share").length]).toEqual([0, 1])
    expect((await read(await service.ask(`${path}/compare`, { headers: PERSON }))).$("form.other-site").length).toBe(1)
    await service.stop()
  })
})

describe("limits", () => {
  it("refuse pages with a message", async () => {
    const service = await startService({ env: { DOCGAUGE_POLL_RATE: "1/1m" } })
    const path = "/r/01938c2e-7b1a-7c3e-9d2f-4a5b6c7d8e9f"
    await service.ask(path, { headers: PERSON })
    const { $, headers, status } = await read(await service.ask(path, { headers: PERSON }))
    expect([status, $("h1").text()]).toEqual([429, "Too many requests"])
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
    await service.stop()
  })
})

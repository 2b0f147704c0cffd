import { load } from "cheerio"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { AuditReport } from "../../../engine/audit/Report.ts"
import { percent } from "../../../engine/plugin/Wording.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { renderPage } from "../../../engine/report/html/Html.ts"
import { shareSection } from "../../../server/pages/report/Sections.ts"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import { goldenReport } from "../../browser/SeededRuns.ts"
import { reportOf } from "../ScriptedAuditor.ts"
import { startService, type TestService } from "../TestService.ts"
import { HARM, hostileReport } from "./HostileReport.ts"
import { htmlFaults } from "./htmlCheck.ts"
import { keepRun } from "./KeptRun.ts"

let service: TestService

beforeAll(async () => {
  service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off", DOCGAUGE_BASE_URL: "https://gauge.example" } })
})
afterAll(() => service.stop())

const PERSON = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }

/** The page, known to be valid. */
const pageAt = async (path: string, status = 200) => {
  const answer = await service.ask(path, { headers: PERSON })
  const text = await answer.text()
  expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"])
  expect(await htmlFaults(text)).toEqual([])
  return { answer, text, $: load(text) }
}

const words = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Asks for an audit and waits until its run is over. */
const audited = async (url: string): Promise<string> => {
  const answer = await service.submit({ base_url: url }, "?async=true")
  const { poll_url, run_id } = (await answer.json()) as { poll_url: string; run_id: string }
  await expect
    .poll(async () => ((await (await service.ask(poll_url)).json()) as { status: string }).status)
    .toMatch(/done|error/)
  return run_id
}

describe("the page of a finished run", () => {
  it("says of a page that was not read to its end what it costs at least", async () => {
    const pages = [
      {
        url: "https://docs.long.dev/",
        status: 200,
        title: "All",
        bytes: 8_388_608,
        tokens: { html: 2_097_152, markdown: 900, at_least: ["html" as const] },
        failed: []
      }
    ]
    const reading_cost = { html: 2_097_152, markdown: 900, at_least: ["html" as const] }
    const id = await keepRun(service, { ...reportOf("https://docs.long.dev", 47), pages, reading_cost })
    const { $ } = await pageAt(`/r/${id}`)
    const cells = $(".pages-seen td.number").toArray()
    expect(cells.map((cell) => words($(cell).text()))).toEqual(["at least 2,097,152", "900"])
    expect($(".pages-seen p").text()).toContain(
      "Reading a page costs at least 2,097,152 tokens as HTML, 900 as Markdown"
    )
  })

  it("shows score, verdict, categories and what to fix", async () => {
    const id = await keepRun(service, { ...reportOf("https://docs.plain.dev", 47), verdict: "Gaps" })
    const { $, answer } = await pageAt(`/r/${id}`)
    expect($("h1").text()).toBe("docs.plain.dev")
    expect($("[data-score]").text()).toBe("47")
    expect($(".verdict").text()).toBe("Gaps")
    expect($(".ladder [aria-current]").text()).toContain("Gaps")
    expect(
      $(".category-bars svg")
        .toArray()
        .map((bar) => [$(bar).attr("data-category"), $(bar).find(".plot-bar").attr("width")])
    ).toEqual(["A", "B", "C", "D", "E", "F"].map((letter) => [letter, "20%"]))
    expect(words($(".fixes .fix-title").first().text())).toBe("llms.txt follows the format A1")
    expect([words($(".fixes .fix-points").first().text()), $(".fixes .fix-found").first().text()]).toEqual([
      "+3",
      "/llms.txt has one title and 3 links."
    ])
    expect($(".criterion").length).toBe(2)
    expect(words($(".criterion").first().find(".evidence").text())).toBe("200/llms.txt")
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'")
  })

  it("shows beside each fix, without a click, what was found and how to do it with the site's generator, once", async () => {
    const golden = goldenReport("poor")
    const recipe = { generator: "mkdocs", do: "Add the plugin `mkdocs-llmstxt`.", url: "https://pypi.org/project/x/" }
    const criteria = golden.criteria.map((criterion) =>
      criterion.remedy !== null && ["A1", "A2"].includes(criterion.id)
        ? { ...criterion, remedy: { ...criterion.remedy, recipe } }
        : criterion
    )
    const report = { ...golden, base_url: "https://docs.recipes.dev", criteria }
    const { $ } = await pageAt(`/r/${await keepRun(service, report)}`)
    expect($(".fix-more .fix-found, .fix-more .fix-recipe")).toHaveLength(0)
    expect(
      $(".fixes > li")
        .toArray()
        .every((entry) => $(entry).find(".fix-found").text() !== "")
    ).toBe(true)
    expect(
      $(".fix-recipe")
        .toArray()
        .map((line) => words($(line).text()))
    ).toEqual([
      "With MkDocs: Add the plugin mkdocs-llmstxt. Documentation",
      expect.stringMatching(/^With MkDocs: the same as for A[12]\.$/)
    ])
  })

  it("lists the criteria of each category in the order of the rubric", async () => {
    const { $ } = await pageAt(`/r/${await keepRun(service, goldenReport("typical"))}`)
    const ids = $(".criteria:not([aria-labelledby=on-trial]) .criterion-id")
      .toArray()
      .map((id) => $(id).text())
    expect(ids).toEqual(goldenReport("typical").criteria.map(({ id }) => id))
  })

  it("says of each fix why it matters, and of what cannot be fixed yet what has to be fixed first", async () => {
    const report = goldenReport("typical")
    const { $ } = await pageAt(`/r/${await keepRun(service, { ...report, base_url: "https://docs.waiting.dev" })}`)
    const reasons = $(".fix-body")
      .toArray()
      .map((body) => words($(body).find("p:contains(Why it matters)").text()))
    expect(reasons.length).toBeGreaterThan(5)
    expect(reasons.filter((reason) => !/^Why it matters: \S+ \S/.test(reason))).toEqual([])
    expect(words($(".criterion:has(#B3) .criterion-title").text())).toBe(
      "Keep the Markdown faithful to the page depends on B1"
    )
    expect(words($("#B3 > p:has(a[href='#B1'])").text())).toBe("Fix B1 first: B3 can earn nothing before.")
  })

  it("names the criterion in the name of each button that copies a prompt", async () => {
    const { $ } = await pageAt(
      `/r/${await keepRun(service, { ...goldenReport("typical"), base_url: "https://docs.named.dev" })}`
    )
    const names = $("[data-copy^=prompt-]")
      .toArray()
      .map((button) => $(button).attr("aria-label"))
    expect(names.length).toBeGreaterThan(5)
    expect(names).toEqual(
      $("[data-copy^=prompt-]")
        .toArray()
        .map((button) => `Copy prompt: ${$(button).attr("data-copy")?.slice("prompt-".length)}`)
    )
  })

  it("offers to filter the criteria only where some lost points and some did not", async () => {
    const report = reportOf("https://docs.filtered.dev", 40)
    const withScores = async (...scores: ReadonlyArray<number>) => {
      const criteria = report.criteria.map((criterion, index) => {
        const score = scores[index] ?? 0
        return { ...criterion, score, status: score === 5 ? ("present" as const) : ("partial" as const) }
      })
      const { $ } = await pageAt(`/r/${await keepRun(service, { ...report, criteria })}`)
      return [$(".criteria-tools fieldset").length, $(".criteria-tools [data-expand]").length]
    }
    expect(await withScores(5, 2)).toEqual([1, 1])
    expect(await withScores(5, 5)).toEqual([0, 1])
    expect(await withScores(2, 2)).toEqual([0, 1])
  })

  it("tells the time of the audit beside its date", async () => {
    const id = await keepRun(service, {
      ...reportOf("https://docs.timed.dev", 47),
      audit_date: new Date().toISOString().slice(0, 10)
    })
    expect(words((await pageAt(`/r/${id}`)).$(".report-facts").text())).toMatch(
      /audited \d+ \w+ \d{4}, \d\d:\d\d UTC ·/
    )
  })

  it("opens each criterion to the requests behind it, as curl commands, with status, headers and body, each shown once", async () => {
    const report = reportOf("https://docs.opened.dev", 47)
    const exchange = {
      method: "GET" as const,
      url: "https://docs.opened.dev/llms.txt",
      accept: "text/markdown",
      agent: "docgauge" as const,
      status: 200,
      headers: ["content-type: text/plain", "set-cookie: (not kept)"],
      body: "# Opened\n\n    <b>&amp;</b>\n",
      body_bytes: 9_000,
      body_cut: true
    }
    const evidence = [{ url: exchange.url, status: 200, note: "Seen.", exchange: 0 }]
    const id = await keepRun(service, {
      ...report,
      exchanges: [exchange],
      criteria: report.criteria.map((criterion) => ({ ...criterion, evidence }))
    })
    const { $ } = await pageAt(`/r/${id}`)
    expect($("details.exchanges > summary").first().text()).toBe("1 request and its response")
    expect(
      $(".exchange [data-code='Copy as curl'] code")
        .toArray()
        .map((code) => $(code).text())
    ).toEqual([
      "curl -sSgi --compressed -A 'docgauge/0.1.0' -H 'Accept: text/markdown' 'https://docs.opened.dev/llms.txt'"
    ])
    expect($(".exchange .response").text()).toBe(
      "content-type: text/plain\nset-cookie: (not kept)\n\n# Opened\n\n    <b>&amp;</b>\n"
    )
    expect($(".evidence .http-status a").first().attr("href")).toBe(`#${$(".exchange").attr("id") ?? ""}`)
  })

  it("links to its other formats and its image", async () => {
    const id = await keepRun(service, reportOf("https://docs.twins.dev"))
    const { $ } = await pageAt(`/r/${id}`)
    expect(
      $("link[rel=alternate]")
        .toArray()
        .map((link) => [$(link).attr("type"), $(link).attr("href")])
    ).toEqual([
      ["application/json", `/r/${id}.json`],
      ["text/markdown", `/r/${id}.md`]
    ])
    expect($("meta[property='og:image']").attr("content")).toBe(`https://gauge.example/r/${id}/og.png`)
  })

  it("is a 304 for clients that have it, and compressed for others", async () => {
    const id = await keepRun(service, reportOf("https://docs.tag.dev"))
    const first = await service.ask(`/r/${id}`, { headers: { ...PERSON, "accept-encoding": "br" } })
    expect(first.headers.get("content-encoding")).toBe("br")
    const again = await service.ask(`/r/${id}`, {
      headers: { ...PERSON, "if-none-match": first.headers.get("etag") ?? "" }
    })
    expect(again.status).toBe(304)
  })

  it("weighs at most 30 KB", async () => {
    const id = await keepRun(service, goldenReport("typical"))
    const answer = await service.ask(`/r/${id}`, { headers: { ...PERSON, "accept-encoding": "br" } })
    const bytes = Number(answer.headers.get("content-length"))
    expect([answer.headers.get("content-encoding"), bytes > 5_000, bytes <= 30_000]).toEqual(["br", true, true])
  })

  it("warns before the score if the score is not reliable", async () => {
    const id = await keepRun(service, {
      ...reportOf("https://docs.wall.dev"),
      reliability: { reliable: false, coverage: 0.4, flags: ["login_wall"], skipped: [] }
    })
    const { $, text } = await pageAt(`/r/${id}`)
    expect(words($(".warning").text())).toBe(
      "Not reliable: read this score with carePages require a login, so we could not read them.We could check only 40 of 100 points."
    )
    expect(text.indexOf("Not reliable")).toBeLessThan(text.indexOf("data-score"))
  })

  it("has the report byte for byte as JSON, and as Markdown", async () => {
    const report = reportOf("https://docs.bytes.dev", 33)
    const id = await keepRun(service, report)
    const json = await service.ask(`/r/${id}.json`)
    expect(json.headers.get("content-type")).toBe("application/json")
    expect(Schema.decodeUnknownSync(AuditReport)(await json.json())).toEqual(report)
    const markdown = await service.ask(`/r/${id}.md`)
    expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8")
    expect(await markdown.text()).toMatch(/^# 33\/100 \(AI-ready\): https:\/\/docs\.bytes\.dev\n/)
  })
})

describe("what surrounds a score", () => {
  const HOSTS = ["one", "two", "three", "four"] as const

  it("is its place among all sites, and the change since the last audit", async () => {
    for (const [index, host] of HOSTS.entries())
      await keepRun(service, reportOf(`https://docs.${host}-around.dev`, 10 + index))
    await keepRun(service, reportOf("https://docs.around.dev", 40))
    const id = await keepRun(service, reportOf("https://docs.around.dev", 50))
    const { averageScore, below, sites } = await service.stores(Corpus.use((corpus) => corpus.standing(50)))
    const { $ } = await pageAt(`/r/${id}`)
    expect(words($(".context").text())).toMatch(
      new RegExp(
        `^\\+10 points since the audit of \\d+ \\w+ \\d{4}, \\d\\d:\\d\\d UTC\\. ${RegExp.escape(`Higher than ${percent(below / (sites - 1))} of the ${sites - 1} other audited sites; the mean of all is ${averageScore}.`)}$`
      )
    )
    expect($(".context a").attr("href")).toBe(`/r/${id}/compare`)
  })

  it("is no change where one of the two audits is not reliable", async () => {
    await keepRun(service, reportOf("https://docs.shaky.dev", 40))
    await keepRun(service, reportOf("https://docs.shaky.dev", 20, false))
    const id = await keepRun(service, reportOf("https://docs.shaky.dev", 50))
    const { $ } = await pageAt(`/r/${id}`)
    expect(words($(".context").text())).toMatch(/^Higher than /)
  })

  it("is no place where the site has a newer reliable score, which is the one that is ranked", async () => {
    const older = await keepRun(service, reportOf("https://docs.outrun.dev", 90))
    const newer = await keepRun(service, reportOf("https://docs.outrun.dev", 20))
    await keepRun(service, reportOf("https://docs.outrun.dev", 10, false))
    expect(words((await pageAt(`/r/${older}`)).$(".context").text())).toMatch(
      /^The mean of \d+ audited sites is \d+\.$/
    )
    expect((await pageAt(`/r/${newer}`)).$(".context").text()).toContain("Higher than ")
  })

  it("is no place where the score is not reliable", async () => {
    const id = await keepRun(service, reportOf("https://docs.unranked.dev", 30, false))
    const { $ } = await pageAt(`/r/${id}`)
    expect($(".context").text()).toContain("Not ranked, as it is not reliable")
    expect([$(".verdict").attr("class"), $(".verdict .unreliable").text()]).toEqual([
      "verdict level-none",
      "Not reliable"
    ])
  })

  it("is a second score where not all criteria apply, and those are apart from lost points", async () => {
    const report = reportOf("https://docs.library.dev", 30)
    const criteria = report.criteria.map((criterion, index) =>
      index === 0 ? { ...criterion, status: "absent" as const, score: 0, applicable: false } : criterion
    )
    const { $ } = await pageAt(
      `/r/${await keepRun(service, { ...report, criteria, applicable_score: { score: 30, max: 70 } })}`
    )
    expect(words($(".second-score").text())).toBe("30 of the 70 points that apply (43%), as we found no HTTP API.")
    expect(words($(".category-bars li").first().text())).toBe("Discovery 5 points not applicable3 / 20")
    expect([$(".criterion .status-not-applicable").length, words($(".criterion-points").first().text())]).toEqual([
      1,
      "– / 5"
    ])
  })
})

describe("the mean of each category", () => {
  let own: TestService
  // The means are cached for a minute, so each case needs a service of its own.
  beforeEach(async () => {
    own = await startService()
  })
  afterEach(() => own.stop())

  const keepSites = async (count: number): Promise<string> => {
    const ids = []
    for (let index = 0; index < count; index += 1)
      ids.push(await keepRun(own, reportOf(`https://docs.mean${index}.dev`, 50)))
    return ids.at(-1) ?? ""
  }
  const barsAt = async (id: string) => load(await (await own.ask(`/r/${id}`, { headers: PERSON })).text())

  it("says of how many sites it is: those of which each criterion is known", async () => {
    await keepRun(own, { ...reportOf("https://docs.unjudged.dev", 50), criteria: [] })
    const $ = await barsAt(await keepSites(5))
    expect($(".category-bars .plot-mean").length).toBe(2)
    expect(words($(".mean-key").text())).toBe("mean of 5 sites")
    expect(words($(".context").text())).toContain("of the 5 other audited sites")
  })

  it("is not shown of fewer than 5 sites", async () => {
    await keepRun(own, { ...reportOf("https://docs.unjudged.dev", 50), criteria: [] })
    const $ = await barsAt(await keepSites(4))
    expect($(".plot-mean, .mean-key").length).toBe(0)
  })

  it("has each mean at its share of the points, whatever points the category has in the report's rubric", async () => {
    await keepSites(5)
    const report = reportOf("https://docs.shares.dev", 50)
    const wide = await keepRun(own, {
      ...report,
      categories: { ...report.categories, A_discovery: { score: 5, max: 40, title: "Discovery" } }
    })
    const means = [await keepRun(own, report), wide].map(async (id) =>
      (await barsAt(id))("[data-category=A] .plot-mean").attr("x1")
    )
    const [usual, other] = await Promise.all(means)
    expect([usual, other]).toEqual([expect.stringMatching(/^\d+(?:\.\d+)?%$/), usual])
  })
})

describe("the files of a report", () => {
  it("are offered with links, badges and a prompt to copy", async () => {
    const id = await keepRun(service, reportOf("https://docs.shared.dev"))
    const { $ } = await pageAt(`/r/${id}`)
    expect(
      $(".share .link-row a")
        .toArray()
        .map((link) => $(link).attr("href"))
    ).toEqual([`/r/${id}.json`, `/r/${id}.md`, `/r/${id}.html`])
    expect($('.share a[href="/docs/v1/runs#signatures"]').text()).toBe("signed")
    expect(
      $(".share pre code")
        .toArray()
        .map((code) => $(code).text())
    ).toEqual([
      `https://gauge.example/r/${id}`,
      "[![docgauge](https://gauge.example/badge.svg?base_url=docs.shared.dev)](https://gauge.example/browse/site?site=docs.shared.dev)",
      '<a href="https://gauge.example/browse/site?site=docs.shared.dev"><img src="https://gauge.example/badge.svg?base_url=docs.shared.dev" alt="docgauge" height="20"></a>',
      expect.stringContaining(`Read https://gauge.example/r/${id}.md, a report`)
    ])
    expect(
      $("[data-copy]")
        .toArray()
        .every((button) => $(`#${$(button).attr("data-copy") ?? ""}`).length === 1)
    ).toBe(true)
  })

  it("include the archive, with the command that replays it, the digest of the rubric that judged, and whom to tell if anybody can be reached", async () => {
    const report = reportOf("https://docs.archived.dev")
    const id = await keepRun(service, report)
    const without = await pageAt(`/r/${id}`)
    expect(without.$("#share-replay")).toHaveLength(0)
    const [run, finished] = await service.stores(
      RunStore.use((store) => Effect.all([store.find(id), store.report(id)] as const))
    )
    if (run === null || finished === null) throw new Error("the run is gone")
    const view = {
      run,
      report,
      base: "https://gauge.example",
      hasContact: true,
      words: { verdicts: [], why: new Map() },
      history: [],
      hasArchive: true,
      standing: { sites: 1, below: 0, averageScore: 0 },
      means: { sites: 0, shares: {} },
      change: null,
      versions: new Map(),
      verification: null,
      rubricPath: null
    }
    const $ = load(renderPage(shareSection(view)))
    expect($("#share-replay").text()).toBe(`npx docgauge --replay ${id}.warc.gz`)
    expect($(`.link-row a[href="/api/public/audit/${id}/archive"]`)).toHaveLength(1)
    expect($(".share").text()).toContain(report.rubric.digest)
    expect($('.share a[href="/bot#contact"]').text()).toBe("us")
    const unreachable = load(renderPage(shareSection({ ...view, hasContact: false })))
    expect(unreachable(".share").text()).toContain("without your site.")
    expect(unreachable(".share").text()).not.toMatch(/tell us/)
  })

  it("include one of HTML, which needs nothing but itself", async () => {
    const id = await keepRun(service, reportOf("https://docs.onefile.dev", 47))
    const answer = await service.ask(`/r/${id}.html`)
    expect([answer.status, answer.headers.get("content-disposition")]).toEqual([200, "attachment"])
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'")
    const $ = load(await answer.text())
    expect([$("[data-score]").text(), $("script, link[rel=stylesheet], img").length]).toEqual(["47", 0])
  })
})

describe("a run that is not done", () => {
  it("shows its progress, and reloads itself without a script", async () => {
    const { run_id } = (await (await service.submit({ base_url: "https://held.slow.dev" }, "?async=true")).json()) as {
      run_id: string
    }
    const { $, answer } = await pageAt(`/r/${run_id}`)
    expect($("h1").text()).toBe("held.slow.dev")
    expect($("head noscript").text()).toContain('http-equiv="refresh"')
    expect([$("progress").length, $("[role=status]").length, answer.headers.get("cache-control")]).toEqual([
      1,
      1,
      "no-store"
    ])
    expect(
      $("[data-live] .category-bars li")
        .toArray()
        .map((row) => words($(row).text()))
    ).toEqual([
      "Discovery 0 of 5",
      "Page artifacts 0 of 5",
      "API spec 0 of 5",
      "Content 0 of 7",
      "Hygiene 0 of 4",
      "Agent surface 0 of 4"
    ])
    expect(words($(".under-way-facts").text())).toMatch(
      /^(?:Not begun|Nothing measured) yet\. \d+ seconds? so far(?:; audits here usually take \d+ seconds?)?\.$|criteria measured/
    )
    expect((await service.ask(`/r/${run_id}.md`)).status).toBe(422)
    service.auditor.release()
    await expect
      .poll(async () => load(await (await service.ask(`/r/${run_id}`)).text())("[data-score]").text())
      .toBe("60")
  })

  it("waits only where another audit comes first", async () => {
    const busy = await startService({
      env: { DOCGAUGE_TARGET_WINDOW: "off", DOCGAUGE_CONCURRENT_AUDITS: "1" }
    })
    const submitted = async (url: string): Promise<string> => {
      const answer = await busy.submit({ base_url: url }, "?async=true")
      return ((await answer.json()) as { run_id: string }).run_id
    }
    const state = async (id: string): Promise<string> =>
      load(await (await busy.ask(`/r/${id}`, { headers: PERSON })).text())("[data-state]").text()
    const first = await submitted("https://held.first.dev")
    const second = await submitted("https://held.second.org")
    expect(await state(first)).not.toContain("Waiting")
    await expect.poll(() => state(second)).toBe("Waiting for its turn: other audits come first.")
    busy.auditor.release()
    await expect.poll(() => state(second)).toBe("")
    await busy.stop()
  })

  it("says what went wrong, with a form to try again", async () => {
    const { $ } = await pageAt(`/r/${await audited("https://failing.shut.dev")}`)
    expect($(".lead").text()).toBe("https://failing.shut.dev answers 403, and no other page could be read.")
    expect([$("form").attr("action"), $("input[name=base_url]").attr("value")]).toEqual([
      "/audit?async=true",
      "https://failing.shut.dev"
    ])
  })

  it("hides the reason of an internal error", async () => {
    const { text } = await pageAt(`/r/${await audited("https://broken.fault.dev")}`)
    expect(text).not.toContain("secret detail")
    expect(text).toContain("The fault is ours")
  })
})

describe("a URL that is not a report", () => {
  const UNKNOWN = "01938c2e-7b1a-7c3e-9d2f-4a5b6c7d8e9f"

  it.each([
    [`/r/${UNKNOWN}`, 404, "Report not found"],
    [`/r/${UNKNOWN}.md`, 404, "Report not found"],
    [`/r/${UNKNOWN}/compare`, 404, "Report not found"],
    ["/r/nonsense", 400, "This is not the URL of a report"],
    ["/r/%3Cscript%3E", 400, "This is not the URL of a report"],
    [`/r/${UNKNOWN}.html`, 404, "Report not found"],
    [`/r/${UNKNOWN}.pdf`, 400, "This is not the URL of a report"],
    [`/r/${UNKNOWN}/compare?baseline=x`, 400, "This is not the URL of a report"]
  ])("%s is a page with %i", async (path, status, title) => {
    const { $ } = await pageAt(path, status)
    expect($("h1").text()).toBe(title)
  })

  it("is JSON for programs", async () => {
    const answer = await service.ask(`/r/${UNKNOWN}.md`)
    expect([answer.status, await answer.json()]).toEqual([404, { error: "There is no such run.", code: "not_found" }])
  })
})

describe("history", () => {
  it("is drawn with changes of the rubric marked", async () => {
    const scores = [10, 55, 100]
    const ids: Array<string> = []
    for (const [index, score] of scores.entries()) {
      const report = reportOf("https://docs.history.dev", score)
      const rubric = index < 2 ? report.rubric : { ...report.rubric, version: "2.0.0", digest: "sha256:2" }
      ids.push(await keepRun(service, { ...report, rubric }))
    }
    const { $ } = await pageAt(`/r/${ids[1]}`)
    const dots = $("#history-chart-title").parent().find("circle").toArray()
    expect(dots.map((dot) => [$(dot).attr("data-value"), Number($(dot).attr("cy"))])).toEqual([
      ["10", 186.4],
      ["55", 107.2],
      ["100", 28]
    ])
    expect(dots.map((dot) => $(dot).hasClass("plot-here"))).toEqual([false, true, false])
    const heights = ($(".plot-line").attr("points") ?? "").split(" ").map((point) => 100 - Number(point.split(",")[1]))
    expect(heights).toEqual(scores)
    expect($(".mark text").text()).toBe("Rubric 2.0.0")
    expect(
      $(".history tbody tr")
        .toArray()
        .map((row) =>
          $(row)
            .find(".number")
            .toArray()
            .map((cell) => $(cell).text())
        )
    ).toEqual([
      // Scores of different major versions do not compare.
      ["100", "–"],
      ["55", "+45"],
      ["10", "–"]
    ])
    expect(words($(".report > .report-head > .warning:first-child").text())).toContain(
      "There is a newer report. 100 points on"
    )
    expect(
      $("#baseline option")
        .toArray()
        .map((option) => $(option).attr("value"))
    ).toEqual([ids[0]])
  })

  it("is omitted for a first run", async () => {
    const { $ } = await pageAt(`/r/${await keepRun(service, reportOf("https://docs.first.dev"))}`)
    expect([$("#history").length, $("#baseline").length]).toEqual([0, 0])
  })
})

describe("hostile content", () => {
  it("is escaped", async () => {
    const id = await keepRun(service, hostileReport("https://docs.hostile.dev"))
    const { $, text } = await pageAt(`/r/${id}`)
    expect(
      $("script")
        .toArray()
        .map((script) => /^\/assets\/\w+-[0-9a-f]{10}\.js$/.test($(script).attr("src") ?? ""))
    ).toEqual([true, true, true])
    expect(
      $("main img")
        .toArray()
        .map((image) => $(image).attr("src"))
    ).toEqual(["/badge.svg?base_url=docs.hostile.dev"])
    expect(
      $("*")
        .toArray()
        .flatMap((element) => Object.keys($(element).attr() ?? {}))
        .filter((name) => /^on/i.test(name))
    ).toEqual([])
    expect(
      $("a")
        .toArray()
        .map((link) => $(link).attr("href") ?? "")
        .filter((href) => !/^(?:https?:\/\/|\/|#)/.test(href))
    ).toEqual([])
    expect(
      $("a[href^='https://docs.hostile.dev']")
        .toArray()
        .every((link) => $(link).attr("rel") === "nofollow noopener noreferrer")
    ).toBe(true)
    // oxlint-disable-next-line no-control-regex
    expect(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069\u2028\ufeff\ufffd]/.test(text)).toBe(false)
    expect($("main").text()).toContain("</title></summary><script>alert(1)</script>")
    expect(text.includes(HARM.word.slice(0, 1_000))).toBe(false)
  })

  it("is harmless in the name of the site and in a comparison, too", async () => {
    const [before, after] = [
      await keepRun(service, hostileReport("https://xn--b1a.harm.dev/%3Cb%3E")),
      await keepRun(service, hostileReport("https://xn--b1a.harm.dev/%3Cb%3E"))
    ]
    const { $ } = await pageAt(`/r/${after}/compare?baseline=${before}`)
    expect($("h1").text()).toBe("в.harm.dev/%3Cb%3E")
    expect($("h1").find(":not(bdi, wbr)").length).toBe(0)
  })
})

describe("a report by an earlier rubric", () => {
  const OLD = readFileSync(new URL("../../rubric/released/docs-ai-readiness-2.0.0.yaml", import.meta.url))
  const digest = `sha256:${createHash("sha256").update(OLD).digest("hex")}`
  const url = "https://docs.versions.example"
  const of = (score: number, rubric: Partial<AuditReport["rubric"]>): AuditReport => {
    const report = reportOf(url, score)
    return { ...report, rubric: { ...report.rubric, ...rubric } }
  }

  it("links to the text of its own version, criterion by criterion", async () => {
    const id = await keepRun(service, of(41, { id: "docs-ai-readiness", version: "2.0.0", digest }))
    const { $ } = await pageAt(`/r/${id}`)
    expect($(".report-facts a[href='/rubric/2.0.0']").text()).toBe("read it")
    const links = $(".criterion-body a[href^='/rubric/']").toArray()
    expect(links.length).toBeGreaterThan(0)
    for (const { attribs } of links) expect(attribs["href"]).toMatch(/^\/rubric\/2\.0\.0#[A-F]\d$/)
  })

  it("is what the first report under the next major version names, in one line, instead of a difference", async () => {
    const id = await keepRun(service, of(45, { id: "docs-ai-readiness", version: "3.0.0", digest: "sha256:3" }))
    const { $ } = await pageAt(`/r/${id}`)
    expect(words($(".context").text())).toContain("Was 41 under docs-ai-readiness 2.0.0.")
    expect(words($("[aria-labelledby=history]").text())).toContain("is 45 of 100 under docs-ai-readiness 3.0.0")
    const newest = $(".history tbody tr").first().find("td")
    expect(words(newest.eq(1).text())).toBe("–")
    const markdown = await (await service.ask(`/r/${id}.md`)).text()
    expect(markdown).toContain("Was 41 under docs-ai-readiness 2.0.0")
  })

  it("is told apart from those by the next major version on the page of its site", async () => {
    await keepRun(service, of(47, { id: "docs-ai-readiness", version: "3.0.0", digest: "sha256:3" }))
    const { $ } = await pageAt("/browse/site?site=docs.versions.example")
    const changes = $(".runs tbody tr").toArray()
    expect(changes.map((row) => words($(row).find("td").eq(1).text()))).toEqual(["+2", "–", "–"])
    expect(words($(".figures").text())).toContain("Best of 2 reliable audits by this rubric47Worst45")
  })
})

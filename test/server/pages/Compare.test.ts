import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { reportOf } from "../ScriptedAuditor.ts"
import { startService, type TestService } from "../TestService.ts"
import { keepRun } from "./KeptRun.ts"
import { seenPage, textsOf } from "./SeenPage.ts"

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const words = (text: string): string => text.replace(/\s+/g, " ").trim()

/** A report with these outcomes of A1 and D3. */
const reportWith = (
  url: string,
  total: number,
  outcomes: ReadonlyArray<Partial<AuditReport["criteria"][number]>>
): AuditReport => {
  const report = reportOf(url, total)
  return { ...report, criteria: report.criteria.map((criterion, index) => ({ ...criterion, ...outcomes[index] })) }
}

describe("a comparison of two audits of a site", () => {
  let runs: { readonly first: string; readonly second: string; readonly third: string }
  beforeAll(async () => {
    const url = "https://docs.compare.dev"
    runs = {
      first: await keepRun(
        service,
        reportWith(url, 40, [
          { status: "partial", score: 2 },
          { status: "present", score: 5 }
        ])
      ),
      second: await keepRun(
        service,
        reportWith(url, 50, [
          { status: "partial", score: 2 },
          { status: "present", score: 5 }
        ])
      ),
      third: await keepRun(
        service,
        reportWith(url, 60, [
          { status: "present", score: 5, summary: "/llms.txt has 9 links." },
          { status: "partial", score: 3 }
        ])
      )
    }
  })

  it("shows what changed since the chosen audit, by default the one before", async () => {
    const page = await seenPage(service, `/r/${runs.third}/compare?baseline=${runs.first}`)
    expect(textsOf(page, ".compared-scores .figure")).toEqual(["40", "60", "+20"])
    expect(page.$("#baseline option[selected]").attr("value")).toBe(runs.first)
    expect((await seenPage(service, `/r/${runs.third}/compare`)).$("[data-delta]").text()).toBe("+10")
  })

  it("tells criterion by criterion what each found, better apart from worse, with links to both reports", async () => {
    const page = await seenPage(service, `/r/${runs.third}/compare?baseline=${runs.first}`)
    const better = page.$("#better").parent().find("[data-key=A1]")
    expect(words(better.text())).toBe(
      "A1 llms.txt follows the format +3Before: A1 in the reportPartial 2 of 5 points/llms.txt has one title and 3 links.After: A1 in the reportPresent 5 of 5 points/llms.txt has 9 links."
    )
    expect(
      better
        .find(".pair-name a")
        .toArray()
        .map((link) => page.$(link).attr("href"))
    ).toEqual([`/r/${runs.first}#A1`, `/r/${runs.third}#A1`])
    expect(page.$("#worse").parent().find(".lost").text()).toBe("−2")
    expect(page.$("#incomparable, .same-pairs").length).toBe(0)
  })

  it("keeps before and after in the order of time where the later audit is chosen", async () => {
    const page = await seenPage(service, `/r/${runs.first}/compare?baseline=${runs.third}`)
    expect(textsOf(page, ".compared-scores .figure")).toEqual(["40", "60", "+20"])
    expect(page.$("#better").parent().find(".pair .gained").text()).toBe("+3")
  })

  it("sets apart what only one of the two audits could check", async () => {
    const url = "https://docs.partly.dev"
    await keepRun(service, reportWith(url, 40, [{ status: "inconclusive", score: 0 }, {}]))
    const after = await keepRun(service, reportWith(url, 45, [{ status: "present", score: 5 }, {}]))
    const page = await seenPage(service, `/r/${after}/compare`)
    expect(page.$("#incomparable").parent().find("[data-key]").attr("data-key")).toBe("A1")
    expect([page.$("#better, #worse").length, words(page.$(".same-pairs > summary").text())]).toEqual([
      0,
      "1 criterion came out the same"
    ])
  })

  it("says that the rubric changed", async () => {
    await keepRun(service, reportOf("https://docs.shift.dev", 20))
    const other = reportOf("https://docs.shift.dev", 40)
    const after = await keepRun(service, {
      ...other,
      rubric: { ...other.rubric, version: "2.0.0", digest: "sha256:2" }
    })
    const page = await seenPage(service, `/r/${after}/compare`)
    expect(words(page.$(".warning").text())).toContain("The rubric changed from 1.0.0 to 2.0.0.")
  })
})

describe("a comparison of two sites", () => {
  let runs: { readonly ours: string; readonly theirs: string }
  beforeAll(async () => {
    runs = {
      ours: await keepRun(service, reportWith("https://docs.ours.dev", 40, [{ status: "partial", score: 2 }, {}])),
      theirs: await keepRun(
        service,
        reportWith("https://docs.theirs.dev", 60, [
          { status: "present", score: 5 },
          { status: "partial", score: 2 }
        ])
      )
    }
  })

  it("says who is ahead, in total and in each criterion", async () => {
    const page = await seenPage(service, `/r/${runs.ours}/compare?baseline=${runs.theirs}`)
    expect(page.$("h1").text()).toBe("docs.ours.dev and docs.theirs.dev")
    expect(textsOf(page, ".compared-scores .figure")).toEqual(["40", "60", "−20"])
    expect(page.$(".compared-scores").text()).toContain("docs.theirs.dev is 20 points ahead.")
    expect(page.$("#worse").text()).toBe("Where docs.theirs.dev is ahead")
    expect(page.$("#worse").parent().find("[data-key]").attr("data-key")).toBe("A1")
    expect(words(page.$(".same-pairs > summary").text())).toBe("1 criterion earns the same points")
  })

  it("says what does not apply to one of them, and compares no points there", async () => {
    const inapplicable = { status: "absent", score: 0, applicable: false } as const
    const library = await keepRun(service, reportWith("https://docs.library.dev", 30, [inapplicable, {}]))
    const page = await seenPage(service, `/r/${runs.ours}/compare?baseline=${library}`)
    expect(words(page.$(".compared-scores").text())).toContain(
      "docs.ours.dev is 10 points ahead. docs.ours.dev earned 2 points for criteria that do not apply to docs.library.dev."
    )
    expect(
      page
        .$(".compared-categories [data-key=A] td")
        .toArray()
        .map((cell) => words(page.$(cell).text()))
    ).toEqual(["4 / 20", "does not apply", "–"])
    expect(words(page.$("#incomparable").parent().find("[data-key=A1]").text())).toMatch(
      /A1 llms\.txt follows the format –.*Partial 2 of 5 points.*Not applicable(?! \d)/
    )
  })

  it("says what each earned where the other has nothing to earn, whichever is ahead and by however little", async () => {
    const inapplicable = { status: "absent", score: 0, applicable: false } as const
    const [first, second] = [
      await keepRun(
        service,
        reportWith("https://docs.first-side.dev", 41, [{ status: "present", score: 5 }, inapplicable])
      ),
      await keepRun(
        service,
        reportWith("https://docs.second-side.dev", 42, [inapplicable, { status: "partial", score: 1 }])
      )
    ]
    const page = await seenPage(service, `/r/${first}/compare?baseline=${second}`)
    expect(words(page.$(".compared-scores").text())).toContain(
      "docs.second-side.dev is 1 point ahead. docs.first-side.dev earned 5 points for criteria that do not apply to docs.second-side.dev. docs.second-side.dev earned 1 point for criteria that do not apply to docs.first-side.dev."
    )
  })

  it.each([["docs.theirs.dev"], ["https://www.docs.theirs.dev/"], ["HTTPS://docs.theirs.dev"]])(
    "is reached by the form, in which people type %s",
    async (typed) => {
      const form = (await seenPage(service, `/r/${runs.ours}/compare`)).$("form.other-site")
      expect([form.attr("action"), form.attr("method"), form.find("input").attr("name")]).toEqual([
        `/r/${runs.ours}/compare`,
        "get",
        "site"
      ])
      const answer = await fetch(`${service.url}/r/${runs.ours}/compare?site=${encodeURIComponent(typed)}`, {
        redirect: "manual"
      })
      expect([answer.status, answer.headers.get("location")]).toEqual([
        303,
        `/r/${runs.ours}/compare?baseline=${runs.theirs}`
      ])
    }
  )

  it("is reached by the URL of a report, too", async () => {
    const answer = await fetch(
      `${service.url}/r/${runs.ours}/compare?site=${encodeURIComponent(`https://audits.example/r/${runs.theirs}`)}`,
      { redirect: "manual" }
    )
    expect(answer.headers.get("location")).toBe(`/r/${runs.ours}/compare?baseline=${runs.theirs}`)
  })

  it.each(["nobody.dev", "<img src=x>", "%", "x".repeat(5_000)])(
    "offers another try for a site that was not audited, %#",
    async (typed) => {
      const page = await seenPage(service, `/r/${runs.ours}/compare?site=${encodeURIComponent(typed)}`)
      expect([
        page.answer.status,
        page.$("h1").text(),
        page.$("form.other-site").length,
        page.$("main img").length
      ]).toEqual([404, "No audit of this site", 1, 0])
    }
  )

  it("suggests sites whose URL contains what was typed", async () => {
    const page = await seenPage(service, `/r/${runs.ours}/compare?site=theirs`)
    expect([page.answer.status, textsOf(page, "main li a")]).toEqual([404, ["docs.theirs.dev"]])
    const answer = await fetch(service.url + (page.$("main li a").attr("href") ?? ""), { redirect: "manual" })
    expect(answer.headers.get("location")).toBe(`/r/${runs.ours}/compare?baseline=${runs.theirs}`)
  })

  it("is offered by every report", async () => {
    const { $ } = await seenPage(service, `/r/${runs.ours}`)
    expect($(".report-bar a[href='#compare']").length).toBe(1)
    expect($("form.other-site").attr("action")).toBe(`/r/${runs.ours}/compare`)
  })

  it("is made with the newest reliable audit of a site", async () => {
    const reliable = await keepRun(service, reportOf("https://docs.wavering.dev", 40))
    await keepRun(service, reportOf("https://docs.wavering.dev", 90, false))
    const answer = await fetch(`${service.url}/r/${runs.ours}/compare?site=docs.wavering.dev`, { redirect: "manual" })
    expect(answer.headers.get("location")).toContain(reliable)
  })
})

describe("an audit that cannot be compared", () => {
  it("offers another site where it is the first of its own", async () => {
    const only = await keepRun(service, reportOf("https://docs.only.dev"))
    const page = await seenPage(service, `/r/${only}/compare`)
    expect([page.answer.status, page.$("form.other-site").length]).toEqual([200, 1])
  })

  it("is refused if it is the same, or has no report", async () => {
    const one = await keepRun(service, reportOf("https://docs.one.dev"))
    const { run_id: failed } = (await (
      await service.submit({ base_url: "https://failing.compare.dev" }, "?async=true")
    ).json()) as { run_id: string }
    expect((await seenPage(service, `/r/${one}/compare?baseline=${one}`)).answer.status).toBe(422)
    expect((await seenPage(service, `/r/${one}/compare?baseline=${failed}`)).answer.status).toBe(422)
    expect((await seenPage(service, `/r/${failed}/compare`)).answer.status).toBe(422)
  })
})

describe("the names of two compared sites", () => {
  it("are decoded, and flagged in headings and columns if they look like another name", async () => {
    const plain = await keepRun(service, reportOf("https://xn--bcher-kva.example", 40))
    const lookalike = await keepRun(service, reportOf("https://xn--pple-43d.com", 50))
    const page = await seenPage(service, `/r/${lookalike}/compare?baseline=${plain}`)
    expect(words(page.$("h1").text())).toBe("xn--pple-43d.com lookalike name and bücher.example")
    expect(textsOf(page, ".compared-name").map(words)).toEqual([
      "xn--pple-43d.com lookalike name",
      "bücher.example",
      "Difference"
    ])
    expect(textsOf(page, ".column-name").map(words)).toEqual(["xn--pple-43d.com lookalike name", "bücher.example"])
  })
})

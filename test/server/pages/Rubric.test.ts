import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { render } from "preact-render-to-string"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { explanations } from "../../../engine/rubric/CriterionPage.ts"
import { stepText } from "../../../engine/rubric/definition/Rubric.ts"
import { loadRubric, readUnbound, type UnboundRubric } from "../../../engine/rubric/RubricFile.ts"
import { plugins } from "../../../plugins/index.ts"
import { renderPage } from "../../../engine/report/html/Html.ts"
import { rubricPage } from "../../../server/pages/rubric/RubricPage.ts"
import { criterionPageText } from "../../../server/pages/rubric/RubricRoutes.ts"
import { rubricVersions } from "../../../server/pages/rubric/VersionPage.ts"
import { pathWith } from "../../../server/pages/kit/PageQuery.ts"
import { auditFakeSite } from "../../golden/AuditFakeSite.ts"
import { goldenSites } from "../../golden/GoldenSites.ts"
import { keepRun } from "./KeptRun.ts"
import { startService, type TestService } from "../TestService.ts"
import { htmlFaults } from "./htmlCheck.ts"
import { seenPage, textsOf } from "./SeenPage.ts"

const FILE = new URL("../../../rubric.yaml", import.meta.url)
const bytes = readFileSync(FILE)
const loaded = Effect.runSync(loadRubric(bytes, "rubric.yaml", plugins))
const { rubric } = loaded
const criteria = rubric.categories.flatMap((category) => category.criteria)

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const typicalSite = () => {
  const site = goldenSites.find(({ name }) => name === "typical")
  if (site === undefined) throw new Error("there is no golden site typical")
  return site
}

const plain = (text: string): string => text.replaceAll("`", "").replace(/\s+/g, " ").trim()

describe("the rubric's page", () => {
  it("has every category and criterion with its points", async () => {
    const page = await seenPage(service, "/rubric")
    expect(page.answer.status).toBe(200)
    expect(textsOf(page, "section > h2").slice(0, 6)).toEqual(
      rubric.categories.map(({ id, points, title }) => `${id} ${title} ${points} points`)
    )
    const listed = page
      .$(".criteria li")
      .toArray()
      .map((item) => [
        page.$(item).find("a").attr("href"),
        page.$(item).find("a").text(),
        Number.parseInt(page.$(item).find(".points").text())
      ])
    const named = ({ id, title }: { readonly id: string; readonly title: string }) => [
      `/rubric/${id}`,
      `${id} ${plain(title)}`
    ]
    expect(listed.slice(0, 30)).toEqual(criteria.map((criterion) => [...named(criterion), criterion.points]))
    expect(listed.slice(30)).toEqual((rubric.experimental ?? []).map((criterion) => [...named(criterion), Number.NaN]))
  })

  it("names the version in force and its file", async () => {
    const page = await seenPage(service, "/rubric")
    expect(textsOf(page, ".versions h3")[0]).toMatch(new RegExp(`^${rubric.version} in force(?:, draft)?$`))
    expect(page.html).toContain(loaded.digest)
  })

  it("has a Markdown version, by its URL and for clients that prefer it", async () => {
    const markdown = await fetch(`${service.url}/rubric.md`)
    const preferred = await fetch(`${service.url}/rubric`, { headers: { accept: "text/markdown, text/html;q=0.5" } })
    expect([markdown.headers.get("content-type"), preferred.headers.get("content-type")]).toEqual(
      Array(2).fill("text/markdown; charset=utf-8")
    )
    expect(preferred.headers.get("vary")).toContain("Accept")
    const text = await markdown.text()
    expect(await preferred.text()).toBe(text)
    for (const { id, title } of criteria) expect(text).toContain(`- [${id} ${title}](/rubric/${id}.md)`)
  })
})

describe("a criterion's page", () => {
  it.each(criteria.map((criterion) => [criterion.id, criterion] as const))(
    "%s has why, how, levels, remedy, facts and references",
    async (id, criterion) => {
      const page = await seenPage(service, `/rubric/${id}`)
      expect(page.answer.status).toBe(200)
      const text = plain(page.$("main").text())
      for (const part of [
        criterion.title,
        criterion.why,
        criterion.how,
        ...criterion.remedy.steps.map(stepText),
        ...criterion.references.map(({ title }) => title)
      ]) {
        expect(text).toContain(plain(part))
      }
      expect(textsOf(page, ".levels .status")).toEqual(criterion.levels.map(({ status }) => status))
      expect(
        page
          .$(".levels > li")
          .toArray()
          .map((level) => Number.parseInt(page.$(level).find("div p").first().text()))
      ).toEqual(criterion.levels.map(({ earns }) => earns))
      expect(page.$(".levels").text()).not.toContain("facts.")
      expect([...textsOf(page, ".facts tbody th")].sort()).toEqual(
        Object.keys(plugins.get(criterion.plugin)?.facts ?? {}).sort()
      )
    }
  )

  it.each(["A1", "C5", "F4"])(
    "%s is the page of the tree as Markdown, without what leads into the tree and without its norms",
    async (id) => {
      const text = await (await fetch(`${service.url}/rubric/${id}.md`)).text()
      const kept = readFileSync(new URL(`../../../docs/criteria/${id}.md`, import.meta.url), "utf8")
      const without = (markdown: string) =>
        markdown
          .replace(/\nNorms:\n[^]*$/, "")
          .split("\n")
          .filter((line) => !line.startsWith("<!--") && !line.includes("Measured by"))
          .join("\n")
          .trim()
      expect(without(text)).toBe(without(kept))
      expect(text).toMatch(/^# /)
    }
  )

  it("has no Markdown links into the source tree", () => {
    for (const explanation of explanations(loaded))
      expect(criterionPageText(explanation, [])).not.toMatch(/\.\.\/|<!--/)
  })

  it("is found in upper and lower case, with one canonical URL", async () => {
    const answer = await fetch(`${service.url}/rubric/c4.md`, { redirect: "manual" })
    expect([answer.status, answer.headers.get("location")]).toEqual([308, "/rubric/C4.md"])
  })

  it.each([
    ["A9", "A1"],
    ["AA1", "A1"],
    ["C44", "C4"]
  ])("that is none, as %s, is a 404 that names %s", async (asked, near) => {
    const page = await seenPage(service, `/rubric/${asked}`)
    expect(page.answer.status).toBe(404)
    expect(textsOf(page, "main a")[0]).toBe(near)
  })

  it("that does not exist is a 404 with the requested id as text", async () => {
    const page = await seenPage(service, `/rubric/${encodeURIComponent("<script>alert(1)</script>\u202e")}`)
    expect([page.answer.status, page.$("main script").length]).toEqual([404, 0])
    expect(page.$(".lead").text()).toBe("The rubric has no criterion “<script>alert(1)</script>”.")
  })
})

describe("versions", () => {
  const text = bytes.toString("utf8")
  const read = (changed: string): UnboundRubric => Effect.runSync(readUnbound(Buffer.from(changed), "rubric.yaml"))
  const first = read(text)
  const second = read(
    text
      .replace(`version: ${first.rubric.version}\n`, "version: 9.9.9\n")
      .replace(
        "title: Publish an llms.txt in the standard format",
        "title: Publish an llms.txt that keeps to its format"
      )
      .replace("changes:\n", "changes:\n- { version: 9.9.9, date: 2026-12-01, what: Say it better., criteria: [A1] }\n")
  )

  it("list what changed, from their files", () => {
    const [newest, before] = rubricVersions(second, [first, second])
    expect(newest).toMatchObject({
      version: "9.9.9",
      inForce: true,
      digest: second.digest,
      changes: [{ subject: "A1", owes: "patch" }]
    })
    expect(before).toMatchObject({ version: first.rubric.version, inForce: false, digest: first.digest, changes: null })
  })

  it("are listed without files if there are none, and never by those of another rubric", () => {
    const digests = (releases: ReadonlyArray<UnboundRubric>): ReadonlyArray<string | null> =>
      rubricVersions(second, releases)
        .map(({ digest }) => digest)
        .filter((digest) => digest !== null)
    const other = { ...first, rubric: { ...first.rubric, id: "another" } }
    expect([digests([]), digests([other])]).toEqual([[second.digest], [second.digest]])
    expect(rubricVersions(second, []).every(({ changes }) => changes === null)).toBe(true)
  })

  it("are called a draft while the file of the version in force may still change", () => {
    expect([[], [first, second]].map((releases) => rubricVersions(second, releases)[0]?.isDraft)).toEqual([true, false])
  })

  it("are shown newest first, each with its changes", async () => {
    const html = renderPage(
      rubricPage({
        base: "https://docgauge.dev",
        rubric: second.rubric,
        explained: explanations(loaded),
        versions: rubricVersions(second, [first, second])
      })
    )
    expect(await htmlFaults(html)).toEqual([])
    expect(html.indexOf("Say it better.")).toBeLessThan(html.indexOf("First release."))
    expect(html).toContain("1 change to the file")
  })

  it("list experimental criteria separately", () => {
    const explained = explanations(loaded).map((each) =>
      each.definition.id === "F4" ? { ...each, onTrial: true } : each
    )
    const html = render(rubricPage({ base: "https://docgauge.dev", rubric, explained, versions: [] }))
    expect(html.indexOf("/rubric/F4")).toBeGreaterThan(html.indexOf("On trial"))
    expect(html).toContain("29 criteria")
  })
})

describe("the page of a version", () => {
  const released = readFileSync(new URL("../../rubric/released/docs-ai-readiness-2.0.0.yaml", import.meta.url))
  const old = Effect.runSync(readUnbound(released, "docs-ai-readiness-2.0.0.yaml"))

  it("has every criterion of a release with its points, levels and conditions, and says which version is in force", async () => {
    const page = await seenPage(service, "/rubric/2.0.0")
    expect(page.answer.status).toBe(200)
    expect(textsOf(page, "h1")).toEqual(["Rubric 2.0.0"])
    const all = [...old.rubric.categories.flatMap((category) => category.criteria), ...(old.rubric.experimental ?? [])]
    expect(
      page
        .$("h3[id]")
        .toArray()
        .map((heading) => page.$(heading).attr("id"))
    ).toEqual(all.map(({ id }) => id))
    expect(page.$(".levels li")).toHaveLength(all.flatMap(({ levels }) => levels).length)
    expect(page.html).toContain(old.digest)
    expect(page.$("main").text()).toContain(`Version ${rubric.version} is in force.`)
  })

  it("has a Markdown version", async () => {
    const answer = await fetch(`${service.url}/rubric/2.0.0.md`)
    expect(answer.headers.get("content-type")).toBe("text/markdown; charset=utf-8")
    const text = await answer.text()
    expect(text).toContain("# Rubric 2.0.0\n")
    for (const { id, title } of old.rubric.categories.flatMap((category) => category.criteria))
      expect(text).toContain(`### ${id} ${title} (`)
  })

  it("is there for each release and for the version in force, and is linked from the list of versions", async () => {
    const links = (await seenPage(service, "/rubric")).$(".versions h3 a").toArray()
    const paths = links.map(({ attribs }) => attribs["href"] ?? "")
    expect(paths).toEqual(rubric.changes.map(({ version }) => `/rubric/${version}`))
    for (const path of paths) expect((await fetch(service.url + path)).status).toBe(200)
  })

  it("of a version that never was is a 404", async () => {
    expect((await fetch(`${service.url}/rubric/1.9.9`)).status).toBe(404)
  })
})

describe("the score calculator", () => {
  const full = Object.fromEntries(criteria.map(({ id, points }) => [id, points]))
  const total = (page: Awaited<ReturnType<typeof seenPage>>): string => page.$("[role=status]").text()

  it("adds the chosen levels up without a script, and names the verdict", async () => {
    const [best] = rubric.verdicts
    expect(total(await seenPage(service, pathWith("/rubric/calculator", full)))).toBe(`100 of 100: ${best?.word}`)
    expect(total(await seenPage(service, "/rubric/calculator"))).toBe(`0 of 100: ${rubric.verdicts.at(-1)?.word}`)
  })

  it("takes what is no level of a criterion for none", async () => {
    const page = await seenPage(service, "/rubric/calculator?A1=99&B1=x&Z9=4&A2=%3Cscript%3E")
    expect(total(page)).toMatch(/^0 of 100: /)
  })

  it("has a select for every criterion that earns points, with its levels", async () => {
    const page = await seenPage(service, "/rubric/calculator")
    expect(
      page
        .$("select")
        .toArray()
        .map(({ attribs }) => attribs["name"])
    ).toEqual(criteria.map(({ id }) => id))
    for (const { id, levels } of criteria)
      expect(
        page
          .$(`select[name=${id}] option`)
          .toArray()
          .slice(1)
          .map(({ attribs }) => Number(attribs["value"]))
      ).toEqual([...new Set(levels.map(({ earns }) => earns))])
  })

  it("is filled from a run that the rubric in force judged", async () => {
    const report = await auditFakeSite(typicalSite())
    const page = await seenPage(service, `/rubric/calculator?run=${await keepRun(service, report)}`)
    expect(total(page)).toMatch(new RegExp(`^${report.total_score} of 100: `))
    for (const { id, score, status } of report.criteria)
      expect([id, page.$(`select[name=${id}] option[selected]`).attr("value")]).toEqual([
        id,
        status === "inconclusive" ? "" : String(score)
      ])
  })

  it("tells what another version makes of a run, and which criteria are not known", async () => {
    const report = await auditFakeSite(typicalSite())
    const older = {
      ...report,
      rubric: { ...report.rubric, version: "2.0.0", digest: "sha256:0" },
      criteria: report.criteria.map((result) =>
        result.id === "E1" ? { ...result, measured: { ...result.measured, revision: 1 } } : result
      )
    }
    const page = await seenPage(service, `/rubric/calculator?run=${await keepRun(service, older)}`)
    const lost = report.criteria.find(({ id }) => id === "E1")?.score ?? 0
    expect(lost).toBeGreaterThan(0)
    expect(page.$("main").text()).toContain(
      `Its facts come to at least ${report.total_score - lost} under ${rubric.version}.`
    )
    expect(page.$("main").text()).toContain("E1")
    expect(page.$("select[name=E1] option[selected]").attr("value")).toBe("")
  })

  it("answers 404 for a run that there is not, and 400 for what is no run", async () => {
    const [unknown, wrong] = await Promise.all(
      ["0198c0de-0000-7000-8000-000000000000", "x"].map((id) => fetch(`${service.url}/rubric/calculator?run=${id}`))
    )
    expect(unknown?.status).toBe(404)
    expect(wrong?.status).toBeGreaterThanOrEqual(400)
  })
})

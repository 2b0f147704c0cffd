import { unzipSync } from "fflate"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCli } from "../../cli/RunCli.ts"
import { TYPICAL_URL, typicalSite } from "../../golden/typical/Site.ts"
import { startAdminService } from "../admin/AdminService.ts"
import { keepRun } from "../pages/KeptRun.ts"
import { seenPage } from "../pages/SeenPage.ts"
import { reportOf } from "../ScriptedAuditor.ts"
import { startService, type TestService } from "../TestService.ts"
import { type ArchivedAudit, archivedAudit, keepArchivedRun } from "./ArchivedRun.ts"
import { withoutWayOn } from "../../../engine/fix/files/WayOn.ts"

const archives = mkdtempSync(join(tmpdir(), "docgauge-fixes-"))
let service: TestService
let typical: ArchivedAudit
let id: string

beforeAll(async () => {
  // Where plugins are allowed, a plan has minutes more, which it needs on a busy machine.
  service = await startService({ env: { DOCGAUGE_ARCHIVES: `${archives},keep=100`, DOCGAUGE_ALLOW_PLUGINS: "true" } })
  typical = await archivedAudit(typicalSite(), TYPICAL_URL)
  id = await keepArchivedRun(service, typical)
})

afterAll(async () => {
  await service.stop()
  rmSync(archives, { recursive: true })
})

/** On a busy machine a plan takes longer than a request for it waits. */
const asked = async (path: string, headers: Record<string, string>): Promise<Response> => {
  for (;;) {
    const answer = await service.ask(path, { headers })
    if (answer.status !== 503) return answer
    await pause(200)
  }
}

const textAt = async (path: string, status = 200, headers: Record<string, string> = {}): Promise<string> => {
  const answer = await asked(path, headers)
  const text = await answer.text()
  expect([path, answer.status], text).toEqual([path, status])
  return text
}

const bytesAt = async (path: string): Promise<Uint8Array> =>
  new Uint8Array(await (await service.ask(path)).arrayBuffer())

describe("the report of a run whose archive is kept", () => {
  it("leads to the plan, and names the command that makes the files elsewhere", async () => {
    const { $ } = await seenPage(service, `/r/${id}`)
    expect($("#fix-it a").attr("href")).toBe(`/r/${id}/fix`)
    expect($("#fix-it code").text()).toBe(`npx docgauge fix ${TYPICAL_URL}`)
  })
})

describe("the plan of a run", () => {
  it("says what the files gain and what is left, in HTML, Markdown and JSON, from the same archive", async () => {
    const json: {
      readonly before: { readonly total_score: number }
      readonly score: number
      readonly files: ReadonlyArray<{ readonly path: string }>
    } = JSON.parse(await textAt(`/r/${id}/fix.json`))
    expect(json.before.total_score).toBe(typical.report.total_score)
    expect(json.score).toBeGreaterThan(typical.report.total_score)
    const markdown = await textAt(`/r/${id}/fix.md`)
    expect(markdown).toMatch(new RegExp(`of 100 for \\d+ of \\d+ pages if you publish these \\d+ files`))
    expect(markdown).toContain(`/r/${id}/fixes.zip`)
    const { $ } = await seenPage(service, `/r/${id}/fix`)
    expect($("#fix-it h2").text()).toMatch(
      new RegExp(`^Fix it: ${json.before.total_score} → (?:at least )?${json.score} of 100$`)
    )
    expect($(".files li").length).toBe(json.files.length)
    expect($("meta[name=robots]").attr("content")).toBe("noindex")
  })

  it("has a prompt for a coding agent, the same on the page and as text, which names the command and the zip", async () => {
    const text = await textAt(`/r/${id}/prompt.txt`)
    const { $ } = await seenPage(service, `/r/${id}/fix`)
    expect($("textarea").text()).toBe(text)
    expect(text).toContain(`\`npx docgauge fix ${TYPICAL_URL}\``)
    expect(text).toContain(`/r/${id}/fixes.zip`)
    expect(text).not.toContain("without --prompt")
    expect(text).toContain(" to the head of its page.\n")
  })

  it("has its files as a zip that other programs can unpack, all in one folder", async () => {
    const answer = await service.ask(`/r/${id}/fixes.zip`)
    expect(answer.headers.get("content-type")).toBe("application/zip")
    expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="docgauge-fix-${id}.zip"`)
    const zip = new Uint8Array(await answer.arrayBuffer())
    const plan: { readonly files: ReadonlyArray<{ readonly path: string; readonly bytes: number }> } = JSON.parse(
      await textAt(`/r/${id}/fix.json`)
    )
    const entries = unzipSync(zip)
    expect(Object.keys(entries).sort()).toEqual(
      [
        "docgauge-fix/PLAN.json",
        "docgauge-fix/PLAN.md",
        "docgauge-fix/QUESTIONS.md",
        ...plan.files.map(({ path }) => `docgauge-fix/${path}`)
      ].sort()
    )
    for (const { bytes, path } of plan.files) expect(entries[`docgauge-fix/${path}`]?.byteLength, path).toBe(bytes)
    const file = join(archives, "check.zip")
    writeFileSync(file, zip)
    expect(execFileSync("unzip", ["-tq", file], { encoding: "utf8" })).toContain("No errors detected")
  })

  it("has in its zip, byte for byte, the files that the command line writes from the same archive", async () => {
    const archive = join(archives, "own.warc.gz")
    writeFileSync(archive, typical.archive)
    const out = join(archives, "written")
    const { code, stderr } = await runCli(["fix", "--from", archive, "--out", out, "--quiet"])
    expect([code, stderr]).toEqual([0, ""])
    const written = readdirSync(out, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [relative(out, join(entry.parentPath, entry.name))] : []
    )
    const zipped = Object.entries(unzipSync(await bytesAt(`/r/${id}/fixes.zip`))).map(
      ([path, body]) => [path.replace(/^docgauge-fix\//, ""), Buffer.from(body)] as const
    )
    // The list of what it wrote is only for its next run.
    expect(written.filter((path) => path !== ".docgauge-fix.json").sort()).toEqual(zipped.map(([path]) => path).sort())
    const different = zipped
      .filter(([path, body]) => path !== "PLAN.md" && !readFileSync(join(out, path)).equals(body))
      .map(([path]) => path)
    expect(different).toEqual([])
    // A line at the top tells the command line that a folder is its own.
    expect(readFileSync(join(out, "PLAN.md"), "utf8")).toBe(
      `<!-- docgauge fix -->\n${zipped.find(([path]) => path === "PLAN.md")?.[1].toString() ?? ""}`
    )
  })

  it("has Markdown versions without a word that the site did not publish", async () => {
    const published = new TextDecoder().decode(
      Buffer.concat(
        Object.values(typicalSite()).map((answer) =>
          Buffer.from(
            typeof answer === "object" && "body" in answer
              ? (answer.body ?? "")
              : typeof answer === "string"
                ? answer
                : ""
          )
        )
      )
    )
    const wordsIn = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}]{5,}/gu) ?? [])
    const known = wordsIn(published)
    const versions = Object.entries(unzipSync(await bytesAt(`/r/${id}/fixes.zip`))).filter(([path]) =>
      /\/site\/docs\/.*\.md$/.test(path)
    )
    expect(versions.length).toBeGreaterThan(5)
    for (const [path, body] of versions) {
      // The name of its language is in the attributes of code.
      const invented = [...wordsIn(withoutWayOn(new TextDecoder().decode(body)).replaceAll(/^`{3,}.*$/gm, ""))].filter(
        (word) => !known.has(word)
      )
      expect(invented, path).toEqual([])
    }
  })
})

describe("the plan of a run whose report has another score than its archive gives now", () => {
  it("says so in every form, PLAN.md of the zip among them", async () => {
    const other = await keepArchivedRun(service, {
      ...typical,
      report: { ...typical.report, total_score: 99 }
    })
    const sentence = `The report has 99 of 100 points. Its archive, judged again by this version of docgauge, has ${typical.report.total_score}: the plan begins there.`
    for (const form of ["fix.md", "prompt.txt"]) expect(await textAt(`/r/${other}/${form}`), form).toContain(sentence)
    const { $ } = await seenPage(service, `/r/${other}/fix`)
    expect($("#fix-it .warning").text()).toBe(sentence)
    const plan = unzipSync(await bytesAt(`/r/${other}/fixes.zip`))["docgauge-fix/PLAN.md"]
    expect(new TextDecoder().decode(plan)).toContain(sentence)
    expect(await textAt(`/r/${id}/fix.md`)).not.toContain("judged again by this version")
  })
})

describe("where there is no plan", () => {
  it("says that the archive is gone, on the report and in each form, and names the command", async () => {
    const gone = await keepRun(service, reportOf("https://docs.gone.dev"))
    const { $ } = await seenPage(service, `/r/${gone}`)
    expect($("#fix-it").text()).toContain("The archive of this audit is no longer kept")
    expect($("#fix-it a").length).toBe(0)
    const page = await textAt(`/r/${gone}/fix`, 404, { accept: "text/html" })
    expect(page).toContain("npx docgauge fix https://docs.gone.dev")
    for (const form of ["fix.json", "fix.md", "prompt.txt", "fixes.zip"]) {
      expect(JSON.parse(await textAt(`/r/${gone}/${form}`, 404))).toEqual({
        error: expect.stringMatching(
          /^The archive of this audit is no longer kept.* Run npx docgauge fix https:\/\/docs\.gone\.dev /
        ),
        code: "not_found"
      })
    }
  })

  it("answers 400 to what is no run, 404 to a run that there is not, and 422 to one without a report", async () => {
    const { run_id: held }: { readonly run_id: string } = JSON.parse(
      await (await service.submit({ base_url: "https://held.plan.dev" }, "?async=true")).text()
    )
    for (const form of ["fix", "fix.json", "fix.md", "prompt.txt", "fixes.zip"]) {
      await textAt(`/r/no-run/${form}`, 400)
      await textAt(`/r/01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b/${form}`, 404)
      expect(JSON.parse(await textAt(`/r/${held}/${form}`, 422))).toMatchObject({ code: "not_done" })
    }
  })

  it("says why no plan can be made of an archive that is none, and asks the same archive only once", async () => {
    const once = await startService({ env: { DOCGAUGE_ARCHIVES: `${archives},keep=100`, DOCGAUGE_FIX_RATE: "1/1h" } })
    const broken = await keepArchivedRun(once, {
      report: reportOf("https://docs.broken.dev"),
      archive: new TextEncoder().encode("no archive")
    })
    try {
      const first = await once.ask(`/r/${broken}/fix.json`)
      const told: { readonly error: string } = JSON.parse(await first.text())
      expect([first.status, told.error]).toEqual([
        422,
        expect.stringMatching(
          /^The archive of this audit can't be used: .*Run npx docgauge fix https:\/\/docs\.broken\.dev /
        )
      ])
      // The limit allows one making.
      const second = await once.ask(`/r/${broken}/fix.json`)
      expect([second.status, await second.json()]).toEqual([422, told])
    } finally {
      await once.stop()
    }
  })

  it("has none of a run that was taken down, after the plan was made and while it is made", async () => {
    const admin = await startAdminService({
      env: { DOCGAUGE_ARCHIVES: `${archives},keep=100`, DOCGAUGE_FIX_RATE: "off" }
    })
    const statusAt = async (run: string, form: string): Promise<number> => (await admin.ask(`/r/${run}/${form}`)).status
    try {
      const made = await keepArchivedRun(admin, typical)
      expect([await statusAt(made, "fix.md"), await statusAt(made, "fix.json")]).toEqual([200, 200])
      const making = await Promise.all([1, 2, 3].map(() => keepArchivedRun(admin, typical)))
      // They are made one after the other, so the last is not there yet.
      const waiting = making.map((run) => statusAt(run, "fix.json"))
      expect(await admin.admin("POST", "/sites/takedown", { site: new URL(TYPICAL_URL).hostname })).toMatchObject({
        status: 200,
        body: { deleted: 4 }
      })
      expect(await waiting.at(-1)).toBe(404)
      for (const form of ["fix", "fix.json", "fix.md", "prompt.txt", "fixes.zip"])
        for (const run of [made, ...making]) expect([form, await statusAt(run, form)]).toEqual([form, 404])
    } finally {
      await admin.stop()
    }
  })
})

describe("making plans", () => {
  it("happens once for requests that come at the same time, and gives the same bytes each time", async () => {
    const other = await keepArchivedRun(service, typical)
    const all = await Promise.all(Array.from({ length: 6 }, () => textAt(`/r/${other}/fix.json`)))
    expect(new Set(all).size).toBe(1)
    const [one, two] = await Promise.all([id, other].map((run) => bytesAt(`/r/${run}/fixes.zip`)))
    expect(one?.length).toBeGreaterThan(0)
    expect(one).toEqual(two)
  })

  it("is limited for each client, unlike reading a plan that was made", async () => {
    const limited = await startService({
      env: { DOCGAUGE_ARCHIVES: `${archives},keep=100`, DOCGAUGE_FIX_RATE: "1/1h" }
    })
    try {
      const [one, other] = [await keepArchivedRun(limited, typical), await keepArchivedRun(limited, typical)]
      expect((await limited.ask(`/r/${one}/fix.md`)).status).toBe(200)
      const refused = await limited.ask(`/r/${other}/fix.md`)
      expect([refused.status, refused.headers.get("ratelimit-policy")]).toEqual([429, '"fix";q=1;w=3600'])
      expect((await limited.ask(`/r/${one}/fixes.zip`)).status).toBe(200)
      expect(
        await (await fetch(`${limited.url}/r/${other}/fix`, { headers: { accept: "text/html" } })).text()
      ).toContain("Too many requests")
    } finally {
      await limited.stop()
    }
  })
})

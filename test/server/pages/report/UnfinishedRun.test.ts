import { load } from "cheerio"
import { describe, expect, it } from "vitest"
import { renderPage } from "../../../../engine/report/html/Html.ts"
import type { Run } from "../../../../engine/store/runs/Run.ts"
import { failedPage, underWayPage } from "../../../../server/pages/report/UnfinishedRun.ts"

const run: Run = {
  id: "01938c2e-7b1a-7c3e-9d2f-4a5b6c7d8e9f",
  status: "error",
  url: "https://docs.example.com",
  site: "docs.example.com",
  domain: "example.com",
  rubricDigest: "0",
  asAgents: false,
  startedAt: "2026-11-30T02:00:00.000000Z",
  finishedAt: "2026-11-30T02:00:01.000000Z",
  attempts: 1,
  progress: { done: 0, total: 0 },
  totalScore: null,
  reliable: null,
  error: null
}

describe("the page of a run that has not begun", () => {
  const told = (isBehind: boolean, status: Run["status"] = "pending"): string =>
    load(
      renderPage(
        underWayPage({ run: { ...run, status }, isBehind, seconds: 1, usual: null, rubric: { categories: [] } })
      )
    )("[data-state]").text()

  it("speaks of waiting only where another audit comes first", () => {
    expect(told(true)).toBe("Waiting for its turn: other audits come first.")
    expect(told(false)).toBe("Accepted. The audit begins as soon as a worker is ready.")
    expect(told(true, "running")).not.toContain("Waiting")
  })
})

describe("the page of a run without a report", () => {
  const failed = (message: string, url = run.url) =>
    load(renderPage(failedPage({ ...run, url, error: { code: "audit_failed", message } })))

  it.each([
    "https://docs.example.com answers 404, so it was not audited.",
    "https://docs.example.com leads to https://docs.example.com/docs, which answers 410, so it was not audited.",
    "https://docs.example.com answers 503, so it was not audited."
  ])("advises nothing about a firewall where none has a part in it: %s", (message) => {
    expect(failed(message)(".failed ul").text()).not.toMatch(/firewall|bot/)
  })

  it.each([
    "https://docs.example.com answers 403, so it was not audited.",
    "https://docs.example.com answers 429 with a bot challenge, so it was not audited."
  ])("says how to let our bot through where one may: %s", (message) => {
    expect(failed(message)(".failed ul a").attr("href")).toBe("/bot")
  })

  it("offers to audit the site of an llms.txt that was given in its place, and advises nothing else", () => {
    const $ = failed(
      "https://docs.example.com/llms.txt is the llms.txt of https://docs.example.com/, not a page: audit https://docs.example.com/ instead.",
      "https://docs.example.com/llms.txt"
    )
    expect($("input[name=base_url]").attr("value")).toBe("https://docs.example.com/")
    expect($(".failed ul").text()).toBe("Audit the site of the llms.txt instead: the form has its URL.")
  })
})

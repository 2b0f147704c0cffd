import type { AuditReport } from "../../engine/audit/Report.ts"
import { DashboardStore } from "../../engine/store/operators/DashboardStore.ts"
import type { DashboardDefinition } from "../../server/dashboards/Widgets.ts"
import { CONTENTS, DOCS_VERSION } from "../../server/pages/docs/Contents.ts"
import { someMatrix } from "../audit/agents/SomeMatrix.ts"
import { falseCalls, someDrift, someFalseCall } from "../drift/SomeDrift.ts"
import type { TestService } from "../server/TestService.ts"
import { goldenReport, reportFor, seedRun } from "./SeededRuns.ts"

/** The runs that the pages are about, by what is special about them. */
export type SeededRun =
  | "earlier"
  | "report"
  | "poor"
  | "excellent"
  | "clientRendered"
  | "long"
  | "rightToLeft"
  | "emoji"
  | "lookalike"
  | "none"
  | "all"
  | "unsure"
  | "drifted"
  | "asAgents"
  | "failed"
  | "pending"

/** A page of the service with a name of its own, which is a file name too. */
export interface SeededPage {
  readonly name: string
  readonly path: (runs: Readonly<Record<SeededRun, string>>) => string
  /** 200 unless it is given. */
  readonly status?: number
}

const LONG_SITE = `https://docs.long.example/${"w".repeat(300)}`

/** Names that are hard to show: Arabic, emoji, an IDN that looks like another name, and percent-encoded text. */
const RIGHT_TO_LEFT = "https://xn--mgbh0fb.xn--kgbechtv/%D8%AA%D9%88%D8%AB%D9%8A%D9%82"
const EMOJI = "https://docs.example.org/%F0%9F%93%9A/%F0%9F%9A%80"
const LOOKALIKE = "https://xn--pple-43d.com/docs"

/** The report with the same part of the points for every criterion. */
const withShare = (report: AuditReport, share: 0 | 1, url: string): AuditReport => ({
  ...report,
  base_url: url,
  total_score: share * 100,
  categories: Object.fromEntries(
    Object.entries(report.categories).map(([id, category]) => [id, { ...category, score: share * category.max }])
  ),
  criteria: report.criteria.map((criterion) => ({
    ...criterion,
    score: share * criterion.max,
    status: share === 1 ? "present" : "absent"
  }))
})

const unreliable = (report: AuditReport, url: string): AuditReport => ({
  ...report,
  base_url: url,
  reliability: { ...report.reliability, reliable: false, coverage: 0.57, flags: ["bot_challenge"] }
})

/** Findings of every kind, one with words that nothing breaks, and more than are shown at once. */
const DRIFT = someDrift(
  [
    ...someDrift().findings,
    someFalseCall({ call: `GET /${"w".repeat(110)}`, found: "w".repeat(300), expected: "x".repeat(300) }),
    ...falseCalls(9)
  ],
  { findings_left_out: 12 }
)

/** What agents are served, with words that nothing breaks. */
const AS_AGENTS = someMatrix({ ends: "w".repeat(200), type: `text/${"x".repeat(60)}` })

/** A dashboard with a widget of each kind. */
const DEFINITION: DashboardDefinition = {
  sites: ["docs.example.dev", "docs.nowhere.dev", "docs.sproutcast-app.com"],
  widgets: [
    { kind: "current_score", title: "Now" },
    { kind: "site_trend", title: "Over time", site: "docs.example.dev" },
    { kind: "category_comparison", title: "Categories" },
    { kind: "biggest_movers", title: "Movers", limit: 5 },
    { kind: "stale_sites", title: "Stale", days: 30 },
    { kind: "top_sites", title: "Best", order: "best", limit: 5 },
    { kind: "corpus", title: "All" }
  ]
}

const provision = (service: TestService, slug: string, isPublic: boolean): Promise<void> =>
  service.stores(
    DashboardStore.use((store) =>
      store.put({ slug, title: "Our documentation", isPublic, definition: JSON.stringify(DEFINITION) })
    )
  )

const submitted = async (service: TestService, host: string): Promise<string> => {
  const answer = await service.submit({ base_url: `https://${host}` }, "?async=true")
  const { run_id: id }: { readonly run_id: string } = JSON.parse(await answer.text())
  return id
}

/** Fills the service with usual and extreme runs and with dashboards, and returns the ids of the runs. */
export const seedPages = async (service: TestService): Promise<Readonly<Record<SeededRun, string>>> => {
  const typical = goldenReport("typical")
  const seed = (report: AuditReport): Promise<string> => seedRun(service, report)
  const runs = {
    earlier: await seed(reportFor(typical, "https://docs.example.dev")),
    report: await seed(reportFor(typical, "https://docs.example.dev", 1)),
    poor: await seed(goldenReport("poor")),
    excellent: await seed(goldenReport("excellent")),
    clientRendered: await seed(goldenReport("client-rendered")),
    long: await seed(reportFor(typical, LONG_SITE)),
    rightToLeft: await seed(reportFor(typical, RIGHT_TO_LEFT)),
    emoji: await seed(reportFor(typical, EMOJI)),
    lookalike: await seed(reportFor(typical, LOOKALIKE)),
    none: await seed(withShare(goldenReport("poor"), 0, "https://docs.none.example")),
    all: await seed(withShare(goldenReport("excellent"), 1, "https://docs.all.example")),
    unsure: await seed(unreliable(typical, "https://docs.unsure.example")),
    drifted: await seed({ ...reportFor(typical, "https://docs.fernpost.dev"), drift: DRIFT }),
    asAgents: await seed({ ...reportFor(typical, "https://docs.agents.example"), as_agents: AS_AGENTS }),
    failed: await submitted(service, "failing.example.org"),
    pending: await submitted(service, "held.example.net")
  }
  await provision(service, "ours", true)
  await provision(service, "closed", false)
  // The figures are put together after the first request for them.
  while ((await service.ask("/dashboard/ours")).status !== 200)
    await new Promise((resolve) => {
      setTimeout(resolve, 100)
    })
  return runs
}

/** Every page of the service. */
export const PAGES: ReadonlyArray<SeededPage> = [
  { name: "home", path: () => "/" },
  { name: "report", path: (runs) => `/r/${runs.report}` },
  { name: "report-poor", path: (runs) => `/r/${runs.poor}` },
  { name: "report-excellent", path: (runs) => `/r/${runs.excellent}` },
  { name: "report-client-rendered", path: (runs) => `/r/${runs.clientRendered}` },
  { name: "report-long-name", path: (runs) => `/r/${runs.long}` },
  { name: "report-right-to-left", path: (runs) => `/r/${runs.rightToLeft}` },
  { name: "report-emoji", path: (runs) => `/r/${runs.emoji}` },
  { name: "report-lookalike", path: (runs) => `/r/${runs.lookalike}` },
  { name: "report-0", path: (runs) => `/r/${runs.none}` },
  { name: "report-100", path: (runs) => `/r/${runs.all}` },
  { name: "report-unreliable", path: (runs) => `/r/${runs.unsure}` },
  { name: "report-drift", path: (runs) => `/r/${runs.drifted}` },
  { name: "report-agents", path: (runs) => `/r/${runs.asAgents}` },
  { name: "run-under-way", path: (runs) => `/r/${runs.pending}` },
  { name: "run-failed", path: (runs) => `/r/${runs.failed}` },
  { name: "run-unknown", path: () => "/r/01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b", status: 404 },
  { name: "comparison", path: (runs) => `/r/${runs.report}/compare?baseline=${runs.earlier}` },
  { name: "comparison-of-two-sites", path: (runs) => `/r/${runs.report}/compare?baseline=${runs.poor}` },
  { name: "comparison-long-name", path: (runs) => `/r/${runs.long}/compare?baseline=${runs.poor}` },
  { name: "comparison-to-choose", path: (runs) => `/r/${runs.poor}/compare` },
  { name: "browse", path: () => "/browse" },
  { name: "leaderboard", path: () => "/browse/top?window=all&order=worst" },
  { name: "search", path: () => "/browse/search?q=docs" },
  { name: "search-without-hits", path: () => "/browse/search?q=nowhere" },
  { name: "statistics", path: () => "/browse/stats" },
  { name: "site", path: () => "/browse/site?site=docs.example.dev" },
  { name: "site-long-name", path: () => `/browse/site?site=${LONG_SITE.slice("https://".length)}` },
  { name: "site-unreliable", path: () => "/browse/site?site=docs.unsure.example" },
  { name: "rubric", path: () => "/rubric" },
  { name: "criterion", path: () => "/rubric/C4" },
  { name: "rubric-version", path: () => "/rubric/2.0.0" },
  { name: "calculator", path: () => "/rubric/calculator" },
  { name: "calculator-run", path: (runs) => `/rubric/calculator?run=${runs.report}` },
  { name: "dashboards", path: () => "/dashboard" },
  { name: "dashboard", path: () => "/dashboard/ours" },
  { name: "dashboard-closed", path: () => "/dashboard/closed", status: 403 },
  { name: "dashboard-unknown", path: () => "/dashboard/nobodys", status: 404 },
  { name: "bot", path: () => "/bot" },
  { name: "not-found", path: () => "/nothing/here", status: 404 },
  ...CONTENTS.flatMap(({ slugs }) => slugs).map((slug) => ({
    name: `docs-${slug.replace("/", "-")}`,
    path: () => `/docs/${DOCS_VERSION}${slug === "index" ? "" : `/${slug}`}`
  }))
]

import { execFileSync, spawnSync } from "node:child_process"
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { isAvailable } from "../harness/Availability.ts"

const ROOT = join(import.meta.dirname, "../..")
const DEPLOY = join(ROOT, "deploy")

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8")

const Dashboard = Schema.Struct({
  panels: Schema.Array(
    Schema.Struct({
      id: Schema.Number,
      title: Schema.String,
      gridPos: Schema.Struct({ x: Schema.Number, y: Schema.Number, w: Schema.Number, h: Schema.Number }),
      targets: Schema.optionalKey(Schema.Array(Schema.Struct({ expr: Schema.String, legendFormat: Schema.String })))
    })
  )
})

const Alerts = Schema.Struct({
  groups: Schema.Array(
    Schema.Struct({
      rules: Schema.Array(
        Schema.Struct({
          alert: Schema.String,
          expr: Schema.String,
          labels: Schema.Struct({ severity: Schema.Literals(["page", "ticket"]) })
        })
      )
    })
  )
})

const { panels } = Schema.decodeUnknownSync(Dashboard)(JSON.parse(read("deploy/grafana-dashboard.json")))
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const rules = Schema.decodeUnknownSync(Alerts)(parse(read("deploy/alerts.yaml"))).groups.flatMap((group) => group.rules)

/** The metrics that the code declares, with the ending that Prometheus gives to the series of a histogram. */
const declared = new Set(
  globSync("{engine,server}/**/*.ts", { cwd: ROOT }).flatMap((file) =>
    [...read(file).matchAll(/Metric\.(counter|gauge|histogram)\(\s*"(docgauge_\w+)"/gu)].map(([, kind, name = ""]) =>
      kind === "histogram" ? `${name}_bucket` : name
    )
  )
)

const metricsIn = (text: string): ReadonlyArray<string> => [...text.matchAll(/\bdocgauge_\w+/gu)].map(([name]) => name)

const hasPromtool = isAvailable(
  "promtool (Debian's package prometheus)",
  spawnSync("promtool", ["--version"]).status === 0
)

const promtool = (...args: ReadonlyArray<string>): string =>
  execFileSync("promtool", args, { cwd: DEPLOY, encoding: "utf8", stdio: "pipe" })

describe("the dashboard", () => {
  it("asks only for metrics that the service has, and shows each of them that is not for one alert alone", () => {
    expect(declared.size).toBeGreaterThan(15)
    expect(queries.flatMap(metricsIn).filter((name) => !declared.has(name))).toEqual([])
    const shown = new Set([...queries, ...rules.map(({ expr }) => expr)].flatMap(metricsIn))
    // Of interest while something is looked into only.
    const UNSHOWN = new Set(["docgauge_audit_bytes_total"])
    expect([...declared].filter((name) => !shown.has(name) && !UNSHOWN.has(name))).toEqual([])
  })

  it("has panels that do not overlap and have ids of their own", () => {
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`)
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  })

  it.skipIf(!hasPromtool)("has queries that Prometheus can parse", () => {
    const folder = mkdtempSync(join(tmpdir(), "docgauge-queries-"))
    const file = join(folder, "queries.yaml")
    const recorded = queries.map((expr, index) => ({
      record: `query:${index}`,
      expr: expr.replaceAll("$__rate_interval", "5m").replaceAll("$job", ".*")
    }))
    writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules: recorded }] }))
    expect(promtool("check", "rules", file)).toContain(`${queries.length} rules found`)
    rmSync(folder, { recursive: true })
  })
})

describe("the alerts", () => {
  it("are about metrics that the service has", () => {
    expect(rules.flatMap(({ expr }) => metricsIn(expr)).filter((name) => !declared.has(name))).toEqual([])
  })

  it("are each explained in the operator's page, with what to do, and each tested", () => {
    const explained = [...read("docs/operating.md").matchAll(/^\| `(Docgauge\w+)` \| \w.{20,} \| \w.{20,} \|$/gmu)].map(
      ([, name]) => name
    )
    expect(explained).toEqual(rules.map(({ alert }) => alert))
    const tests = read("deploy/alerts.test.yaml")
    expect(
      rules.filter(({ alert }) => !new RegExp(`alertname: ${alert}\\s+exp_alerts:\\s*(?:\\[\\{|- )`, "u").test(tests))
    ).toEqual([])
  })

  it.skipIf(!hasPromtool)("fire when they should, and only then", () => {
    expect(promtool("check", "rules", "alerts.yaml")).toContain(`${rules.length} rules found`)
    expect(promtool("test", "rules", "alerts.test.yaml")).toContain("SUCCESS")
  })
})

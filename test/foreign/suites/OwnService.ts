import { execFileSync, spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import * as Schema from "effect/Schema"
import { ownPages, withOwnService } from "../OwnService.ts"
import type { Suite } from "../Suite.ts"

const NuMessages = Schema.fromJsonString(
  Schema.Struct({
    messages: Schema.Array(
      Schema.Struct({
        type: Schema.String,
        url: Schema.optionalKey(Schema.String),
        message: Schema.String,
        extract: Schema.optionalKey(Schema.String)
      })
    )
  })
)

/** The Nu HTML checker on every page of our own. */
export const nu: Suite = {
  name: "HTML: the Nu checker on our pages",
  npm: { "vnu-jar": "26.9.27" },
  programs: ["java"],
  run: (packages) =>
    withOwnService(async (base, folder) => {
      const urls = await ownPages(base)
      const files = await Promise.all(
        urls.map(async (url) => {
          const file = join(folder, `${new URL(url).pathname.replaceAll("/", "_")}.html`)
          writeFileSync(file, await (await fetch(url)).text())
          return file
        })
      )
      const { stderr } = spawnSync(
        "java",
        [
          "-jar",
          join(packages.npm("vnu-jar"), "build/dist/vnu.jar"),
          "--format",
          "json",
          "--exit-zero-always",
          ...files
        ],
        { encoding: "utf8", maxBuffer: 1e8 }
      )
      const { messages } = Schema.decodeUnknownSync(NuMessages)(stderr)
      const errors = Map.groupBy(
        messages.filter(({ type }) => type === "error"),
        ({ url = "" }) => url.split("/").at(-1) ?? ""
      )
      return {
        cases: urls.length,
        differences: [...errors].map(
          ([page, found]) => `${page}: ${[...new Set(found.map(({ message }) => message))].join(" | ")}`
        )
      }
    }),
  explained: [
    {
      difference: /^[^|]*a “blocking” attribute[^|]*$/,
      why: "`<link rel=expect blocking=render>` is in the HTML standard; the checker does not know it yet."
    }
  ]
}

/** Prometheus' own check of our metrics. */
export const promtool: Suite = {
  name: "Metrics: promtool check metrics",
  debian: ["prometheus"],
  run: (packages) =>
    withOwnService(async (base) => {
      const folder = packages.debian("prometheus")
      if (folder === null) return { cases: 0, differences: [] }
      const input = await (await fetch(`${base}/metrics`)).text()
      const { stderr, stdout } = spawnSync(join(folder, "usr/bin/promtool"), ["check", "metrics"], {
        input,
        encoding: "utf8"
      })
      return {
        cases: input.split("\n").filter((line) => line.startsWith("# TYPE")).length,
        differences: `${stdout}${stderr}`.split("\n").filter((line) => line !== "")
      }
    }),
  explained: []
}

const AfdocsReport = Schema.fromJsonString(
  Schema.Struct({
    results: Schema.Array(Schema.Struct({ id: Schema.String, status: Schema.String, message: Schema.String }))
  })
)

/** afdocs on our documentation. */
export const afdocs: Suite = {
  name: "Agents: afdocs on our documentation",
  npm: { afdocs: "0.22.2" },
  run: (packages) =>
    withOwnService((base) => {
      const printed = spawnSync(
        process.execPath,
        [
          join(packages.npm("afdocs"), "bin/afdocs.mjs"),
          "check",
          `${base}/docs`,
          "--format",
          "json",
          "--request-delay",
          "0",
          "-q"
        ],
        { encoding: "utf8", maxBuffer: 1e8 }
      ).stdout
      const { results } = Schema.decodeUnknownSync(AfdocsReport)(printed)
      const differences = results
        .filter(({ status }) => status !== "pass" && status !== "skip")
        .map(({ id, message, status }) => `${id} ${status}: ${message}`)
      return Promise.resolve({ cases: results.length, differences })
    }),
  explained: []
}

/** Vercel's agent-readability on our documentation. */
export const agentReadability: Suite = {
  name: "Agents: @vercel/agent-readability on our documentation",
  npm: { "@vercel/agent-readability": "0.5.1" },
  run: (packages) =>
    withOwnService((base) => {
      const cli = join(packages.npm("@vercel/agent-readability"), "../../.bin/agent-readability")
      const printed = execFileSync(cli, ["audit", `${base}/docs`], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        env: { ...process.env, NO_COLOR: "1" }
      })
      const failed = [...printed.matchAll(/✗ (.*)/g)].map(([, line = ""]) => line)
      const passed = [...printed.matchAll(/✓ (.*)/g)].flatMap(([, line = ""]) => line.split(", "))
      return Promise.resolve({ cases: failed.length + passed.length, differences: failed })
    }),
  explained: [
    {
      difference: /^Agent UA → markdown/,
      why: "We send Markdown to those who ask for it, not by the name of a program; see docs/v1/our-score."
    },
    { difference: /^Missing page → markdown/, why: "A page that does not exist returns 404; see docs/v1/our-score." }
  ]
}

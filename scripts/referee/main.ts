/**
 * `node scripts/referee/main.ts TOOLS_DIR OUT_DIR URL…` audits each site with docgauge and with the tools that are installed in TOOLS_DIR
 * (`npm install afdocs lighthouse @vercel/agent-readability` there), one after another, and writes their reports and what
 * `docgauge referee` makes of them to OUT_DIR/HOST. It asks the sites several times over: run it on your own, or on
 * copies on this machine. Lighthouse needs Chromium (`CHROME_PATH`).
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, openSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"

const MILLISECONDS = 120_000

const [tools, out, ...urls] = process.argv.slice(2)
if (tools === undefined || out === undefined || urls.length === 0) {
  process.stderr.write("usage: node scripts/referee/main.ts TOOLS_DIR OUT_DIR URL…\n")
  process.exit(2)
}

const docgauge = [process.execPath, join(import.meta.dirname, "../../cli/main.ts")]
const OWN = ["--allow-http", "--allow-private", "--quiet"]
const CHROME = "--chrome-flags=--headless=new --no-sandbox"

/** The commands of the tools, each of which prints its report. */
const COMMANDS: Readonly<Record<string, (url: string) => ReadonlyArray<string>>> = {
  afdocs: (url) => ["check", url, "--format", "json", "--score", "--max-links", "8"],
  "agent-readability": (url) => ["audit", url, "--json"],
  lighthouse: (url) => [url, "--quiet", "--output", "json", "--output-path", "stdout", CHROME]
}

/** Runs a command with its output in a file, and says whether there is any: these tools exit with 1 where a site fails. */
const run = ([program = "", ...args]: ReadonlyArray<string>, file: string): boolean => {
  const { error } = spawnSync(program, args, {
    stdio: ["ignore", openSync(file, "w"), "ignore"],
    timeout: MILLISECONDS
  })
  const written = error === undefined && statSync(file).size > 0
  process.stderr.write(`${file}: ${written ? "written" : "no report"}\n`)
  return written
}

for (const url of urls) {
  const folder = resolve(out, new URL(url).host.replaceAll(":", "-"))
  mkdirSync(folder, { recursive: true })
  const ours = join(folder, "docgauge.json")
  if (!run([...docgauge, url, ...OWN, "--format", "json"], ours)) continue
  const others = Object.entries(COMMANDS).flatMap(([tool, args]) => {
    const program = resolve(tools, "node_modules/.bin", tool)
    const file = join(folder, `${tool}.json`)
    return existsSync(program) && run([program, ...args(url)], file) ? [file] : []
  })
  if (others.length > 0) run([...docgauge, "referee", ours, ...others], join(folder, "referee.txt"))
}

import { spawnSync } from "node:child_process"
import { globSync } from "node:fs"
import process from "node:process"
import { fileURLToPath } from "node:url"

/* `npm run test:criterion D5` runs the tests of one criterion's plugin, as vitest does: `npm run test:criterion D5 -- --watch`. */

const ROOT = fileURLToPath(new URL("..", import.meta.url))

const [criterion = "", ...flags] = process.argv.slice(2)
const tests = /^[A-F]\d+$/i.test(criterion)
  ? globSync(`test/plugins/*/${criterion.toLowerCase()}-*.test.ts`, { cwd: ROOT })
  : []
if (tests.length === 0) {
  console.error(`There is no test of a criterion "${criterion}". Name one by its id: npm run test:criterion D5`)
  process.exitCode = 2
} else {
  const watches = flags.includes("--watch")
  const { status } = spawnSync("npx", ["vitest", ...(watches ? [] : ["run"]), ...tests, ...flags], {
    cwd: ROOT,
    stdio: "inherit"
  })
  process.exitCode = status ?? 1
}

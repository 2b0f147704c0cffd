import { once } from "node:events"
import { spawn } from "node:child_process"
import process from "node:process"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { serveFakeSite } from "../engine/testing/FakeSite.ts"
import { TYPICAL_URL, typicalSite } from "../test/golden/typical/Site.ts"

/*
 * `npm run audit -- URL` audits a site. Without a URL it serves the bundled sample documentation on loopback and audits that, so
 * that a first try needs no network. Flags are those of `docgauge`.
 */

const CLI = fileURLToPath(new URL("../cli/main.ts", import.meta.url))

/** Flags without a value; the argument after any other flag is its value, not a URL. */
const SWITCHES = new Set([
  "--allow-private",
  "--allow-http",
  "--allow-plugins",
  "--require-reliable",
  "--verbose",
  "-v",
  "-vv",
  "--quiet",
  "--no-color"
])

/** Flags with which the URL is optional. */
const WITHOUT_ADDRESS = new Set(["--help", "-h", "--version", "--replay", "--config", "--wizard", "--completions"])

const namesTarget = (args: ReadonlyArray<string>): boolean =>
  args.some((arg, index) => {
    if (arg.startsWith("-")) return WITHOUT_ADDRESS.has(arg.split("=", 1)[0] ?? "")
    const before = args[index - 1] ?? ""
    return !before.startsWith("-") || before.includes("=") || SWITCHES.has(before)
  })

/** Runs the command line in a child process on this terminal, and returns its exit code. */
const docgauge = async (args: ReadonlyArray<string>): Promise<number> => {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: "inherit" })
  // Ctrl-C reaches both processes; this one waits for the other's exit code.
  process.on("SIGINT", () => undefined)
  const [code]: ReadonlyArray<unknown> = await once(child, "exit")
  return typeof code === "number" ? code : 130
}

const auditSample = Effect.fn("auditSample")(function* (args: ReadonlyArray<string>) {
  const { origin, pathname } = new URL(TYPICAL_URL)
  const server = yield* serveFakeSite(typicalSite(), { host: origin })
  yield* Effect.sync(() =>
    process.stderr.write("No address given: auditing the bundled sample site, served on this machine.\n\n")
  )
  const own = ["--allow-private", "--allow-http", "--canonical-origin", origin]
  return yield* Effect.promise(() => docgauge([server.origin + pathname, ...own, ...args]))
}, Effect.scoped)

const args = process.argv.slice(2)
process.exitCode = namesTarget(args) ? await docgauge(args) : await Effect.runPromise(auditSample(args))

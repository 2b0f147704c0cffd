import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { TEST_ENVIRONMENT } from "./program/CompileCache.ts"

const ROOT = join(import.meta.dirname, "../..")

/** Options that `npm start` gives to Node: a build is started with them too. */
const START_OPTIONS = (): ReadonlyArray<string> => START.filter((word) => word.startsWith("--"))

/** What `npm start` gives to Node: its options, and the program. */
const START: ReadonlyArray<string> = (() => {
  const {
    scripts: { start }
  }: { readonly scripts: { readonly start: string } } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))
  return start.split(" ").slice(1)
})()

/** No limit at all; what a test is about it sets itself. */
export const LIMITLESS: Readonly<Record<string, string>> = {
  DOCGAUGE_SUBMIT_RATE: "off",
  DOCGAUGE_SITE_QUOTA: "off",
  DOCGAUGE_POLL_RATE: "off",
  DOCGAUGE_BROWSE_RATE: "off",
  DOCGAUGE_HOST_BUDGET: "off",
  DOCGAUGE_CLIENT_RUNS: "off"
}

/** How a process of the service is started. */
export interface ServiceOptions {
  /** The environment of the process, and nothing of ours beside it but where to find programs and compiled code. */
  readonly env: Readonly<Record<string, string>>
  /** A module that is loaded before the service, to reach into the process by. */
  readonly preload?: string
  /** How many files and connections the process may open. */
  readonly descriptors?: number
  /** Options of Node itself. */
  readonly nodeOptions?: ReadonlyArray<string>
  /** The first file of a build (`dist/lib/main.js`), in place of the sources. */
  readonly program?: string | undefined
}

/** How a process ended. */
export interface Ending {
  readonly code: number | null
  readonly tookMs: number
}

/** A line of the log. */
export interface LogLine {
  readonly level?: string
  readonly message?: string
  /** The run that it concerns. */
  readonly run?: string
}

/** The service as `npm start` runs it, in a process of its own. */
export class ServiceProcess {
  /** Lines of stderr so far. */
  readonly lines: Array<string> = []
  readonly child: ChildProcess
  readonly exited: Promise<number | null>
  readonly #listening: Promise<string>

  constructor({ descriptors, env, nodeOptions = [], preload, program }: ServiceOptions) {
    const imported = preload === undefined ? [] : ["--import", preload]
    const [command, ...first] =
      descriptors === undefined
        ? [process.execPath]
        : ["sh", "-c", `ulimit -n ${descriptors} && exec "$0" "$@"`, process.execPath]
    this.child = spawn(
      command ?? "",
      [
        ...first,
        ...nodeOptions,
        ...imported,
        ...(program === undefined ? START : [...START_OPTIONS(), resolve(program), "serve"])
      ],
      {
        cwd: ROOT,
        env: {
          PATH: process.env["PATH"] ?? "",
          ...TEST_ENVIRONMENT,
          PORT: "0",
          ...env
        },
        stdio: ["ignore", "ignore", "pipe", ...(preload === undefined ? [] : ["ipc" as const])]
      }
    )
    this.exited = once(this.child, "exit").then(([code]: ReadonlyArray<unknown>) =>
      typeof code === "number" ? code : null
    )
    this.#listening = this.#announcement()
  }

  /** Its address, without a trailing slash; waits until it listens. Rejects where it ends before that. */
  get url(): Promise<string> {
    return this.#listening
  }

  async #announcement(): Promise<string> {
    if (this.child.stderr === null) throw new Error("stderr is a pipe")
    return new Promise((listening, reject) => {
      void this.exited.then((code) => reject(new Error(`the service ended with ${code}: ${this.lines.join("\n")}`)))
      createInterface({ input: this.child.stderr ?? process.stdin }).on("line", (line) => {
        this.lines.push(line)
        const [, address] = /listens on (\S+) as/.exec(line) ?? []
        if (address !== undefined) listening(`http://${address}`)
      })
    })
  }

  /** The log, as far as it is one. */
  get log(): ReadonlyArray<LogLine> {
    return this.lines.flatMap((line): ReadonlyArray<LogLine> => (line.startsWith("{") ? [JSON.parse(line)] : []))
  }

  /** Ends it as the power does. */
  async kill(): Promise<void> {
    this.#listening.catch(() => undefined)
    this.child.kill("SIGKILL")
    await this.exited
  }

  /** Ends it as a supervisor does. */
  async end(): Promise<Ending> {
    const begun = performance.now()
    this.child.kill("SIGTERM")
    const code = await this.exited
    return { code, tookMs: performance.now() - begun }
  }
}

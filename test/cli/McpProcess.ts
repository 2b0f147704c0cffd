import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { createInterface } from "node:readline"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"

/** A message as it comes over the wire. */
export interface Message {
  readonly jsonrpc?: string
  readonly id?: number | string | null
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string }
}

export interface McpProcessOptions {
  /** The file that is run; the program that was built for the tests where none is given. */
  readonly cli?: string
  /** Options of Node itself. */
  readonly node?: ReadonlyArray<string>
  /** Environment variables besides those of this process. */
  readonly env?: Readonly<Record<string, string>>
}

/** `docgauge mcp` in a process of its own, spoken to line by line. */
export class McpProcess {
  /** Lines that stdout gave so far. */
  readonly lines: Array<string> = []
  stderr = ""
  readonly #child: ChildProcessWithoutNullStreams
  /** The exit code, once it has ended. */
  readonly exited: Promise<number | null>

  constructor(args: ReadonlyArray<string>, { cli = PROGRAM, env = {}, node = [] }: McpProcessOptions = {}) {
    this.#child = spawn(process.execPath, [...node, cli, "mcp", ...args], { env: { ...process.env, ...env } })
    this.exited = once(this.#child, "exit").then(([code]: ReadonlyArray<unknown>) =>
      typeof code === "number" ? code : null
    )
    this.#child.stderr.on("data", (data: Buffer) => {
      this.stderr += data.toString()
    })
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.lines.push(line))
  }

  write(text: string | Uint8Array): void {
    this.#child.stdin.write(text)
  }

  send(message: Message): void {
    this.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  }

  /** Waits for the answer to a request, or for anything that fits. */
  async message(fits: (message: Message) => boolean, withinMs = 100_000): Promise<Message> {
    const deadline = performance.now() + withinMs
    while (performance.now() < deadline) {
      const found = this.lines.map((line): Message => JSON.parse(line)).find(fits)
      if (found !== undefined) return found
      await new Promise((wake) => {
        setTimeout(wake, 5)
      })
    }
    throw new Error(
      `no such message within ${withinMs} ms; stdout: ${this.lines.join("\n").slice(0, 2_000)}; stderr: ${this.stderr}`
    )
  }

  answer(id: number | string): Promise<Message> {
    return this.message((message) => message.id === id)
  }

  async initialize(): Promise<Message> {
    this.send({
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
    })
    const answer = await this.answer(0)
    this.send({ method: "notifications/initialized" })
    return answer
  }

  /** Closes stdin; the exit code. */
  end(): Promise<number | null> {
    this.#child.stdin.end()
    return this.exited
  }

  signal(name: "SIGINT" | "SIGTERM"): void {
    this.#child.kill(name)
  }

  kill(): void {
    this.#child.kill("SIGKILL")
  }
}

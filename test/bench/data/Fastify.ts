import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import * as Schema from "effect/Schema"

/** A bare fastify server to measure ours by, and what loads both. Installed into a temporary folder: no dependencies of ours. */
export interface Fastify {
  /** Serves these bytes at `/`, as GET and as POST of JSON, until the folder is removed. */
  readonly serve: (answer: Answer) => Promise<string>
  readonly load: (target: Target, options: LoadOptions) => Promise<Load>
  readonly remove: () => Promise<void>
}

/** What is served. */
export interface Answer {
  readonly status: number
  readonly body: string
}

/** What is asked for. */
export interface Target {
  readonly url: string
  /** Sent by POST as JSON; GET without it. */
  readonly json?: string
}

export interface LoadOptions {
  readonly connections: number
  readonly seconds: number
}

/** What came of a load. */
export interface Load {
  /** Answers a second. */
  readonly rate: number
  /** Answers by their status. */
  readonly statuses: ReadonlyArray<number>
  /** Requests that had no answer. */
  readonly lost: number
}

const VERSIONS = ["fastify@5.12.8", "autocannon@9.0.0"]

const SERVER = `
import { readFileSync } from "node:fs"
import Fastify from "fastify"
const { body, status } = JSON.parse(readFileSync(process.argv[2], "utf8"))
const bytes = Buffer.from(body)
const app = Fastify()
const answer = (request, reply) => reply.code(status).type("application/json").send(bytes)
app.get("/", answer)
app.post("/", answer)
console.log(await app.listen({ host: "127.0.0.1", port: 0 }))
`

const Autocannon = Schema.fromJsonString(
  Schema.Struct({
    requests: Schema.Struct({ average: Schema.Number }),
    statusCodeStats: Schema.Record(Schema.String, Schema.Unknown),
    errors: Schema.Number,
    timeouts: Schema.Number
  })
)

export const installFastify = async (): Promise<Fastify> => {
  const folder = await mkdtemp(join(tmpdir(), "docgauge-fastify-"))
  await writeFile(join(folder, "package.json"), '{"type":"module"}')
  await writeFile(join(folder, "server.js"), SERVER)
  await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...VERSIONS], {
    cwd: folder
  })
  const servers: Array<ReturnType<typeof spawn>> = []
  return {
    serve: async (answer) => {
      // Pages are longer than an argument may be.
      const file = join(folder, `answer-${servers.length}.json`)
      await writeFile(file, JSON.stringify(answer))
      const server = spawn(process.execPath, [join(folder, "server.js"), file], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      servers.push(server)
      const [line]: ReadonlyArray<unknown> = await once(createInterface({ input: server.stdout }), "line")
      return String(line)
    },
    load: async ({ json, url }, { connections, seconds }) => {
      const body = json === undefined ? [] : ["-m", "POST", "-H", "content-type=application/json", "-b", json]
      const args = ["-j", "-c", String(connections), "-d", String(seconds), ...body, url]
      const { stdout } = await promisify(execFile)(process.execPath, [
        join(folder, "node_modules/autocannon/autocannon.js"),
        ...args
      ])
      const { errors, requests, statusCodeStats, timeouts } = Schema.decodeUnknownSync(Autocannon)(stdout)
      return { rate: requests.average, statuses: Object.keys(statusCodeStats).map(Number), lost: errors + timeouts }
    },
    remove: async () => {
      for (const server of servers) server.kill()
      await rm(folder, { recursive: true })
    }
  }
}

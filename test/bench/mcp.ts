import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { McpProcess } from "../cli/McpProcess.ts"
import { startAgentService } from "../server/mcp/AgentService.ts"
import { Dance } from "../server/oauth/Dance.ts"
import { latenciesOf } from "./measure/Latencies.ts"
import { held, table } from "./measure/Table.ts"

/*
 * `npm run bench:mcp`: how long an agent waits. Over HTTP from `initialize` to the result of a first call on a report
 * that is there, sign-in not counted; over stdio from the start of the built program to its answer to `initialize`.
 */

const ROUNDS = 30

const GOALS = { firstResult: 30, initialize: 500 }

const CALL = {
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "audit", arguments: { base_url: "https://docs.example.org" } }
}

const root = join(import.meta.dirname, "../..")

/** A session as a client opens it, up to the result of its first call. */
const firstResult = async (dance: Dance, token: string): Promise<void> => {
  const opened = await dance.message(token)
  const headers = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-11-25" }
  await opened.text()
  await (await dance.message(token, { jsonrpc: "2.0", method: "notifications/initialized" }, headers)).text()
  const result = await (await dance.message(token, CALL, headers)).text()
  if (!result.includes("/100")) throw new Error(`no report: ${result.slice(0, 500)}`)
}

const overHttp = async (): Promise<ReadonlyArray<number>> => {
  const service = await startAgentService()
  const dance = new Dance(service.url)
  const { access_token: token } = await dance.authorized()
  await firstResult(dance, token)
  const times: Array<number> = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = performance.now()
    await firstResult(dance, token)
    times.push(performance.now() - before)
  }
  await service.stop()
  return times
}

const overStdio = async (): Promise<ReadonlyArray<number>> => {
  const cli = join(root, "dist/lib/main.js")
  const times: Array<number> = []
  for (let round = 0; round < ROUNDS / 3; round += 1) {
    const before = performance.now()
    const server = new McpProcess([], { cli })
    await server.initialize()
    times.push(performance.now() - before)
    await server.end()
  }
  return times
}

execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" })
const [http, stdio] = [latenciesOf(await overHttp()), latenciesOf(await overStdio())]
console.log(
  table(
    ["milliseconds", "median", "p99"],
    [
      ["session, initialize to first result", held(http.p50, GOALS.firstResult, 0), http.p99.toFixed(0)],
      ["docgauge mcp, start to initialize", held(stdio.p50, GOALS.initialize, 0), stdio.p99.toFixed(0)]
    ]
  )
)

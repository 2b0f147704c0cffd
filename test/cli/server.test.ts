import { execFile } from "node:child_process"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"
import { startService, type TestService } from "../server/TestService.ts"

let service: TestService
beforeAll(async () => { service = await startService() })
afterAll(() => service.stop())

interface Ended {
  readonly code: unknown
  readonly stdout: string
  readonly stderr: string
}

const docgauge = (...args: ReadonlyArray<string>): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }))
  })

describe("docgauge <url> --server", () => {
  it("prints the report that the service made", async () => {
    const { code, stdout } = await docgauge("https://docs71.remote-cli.dev", "--server", service.url, "--format", "json")
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { base_url: "https://docs71.remote-cli.dev", total_score: 71 }])
  }, 120_000)

  it("applies --min-score as in a local audit", async () => {
    expect(await docgauge("https://docs30.remote-cli.dev", "--server", `${service.url}/`, "--min-score", "50", "--format", "json"))
      .toMatchObject({ code: 1, stderr: expect.stringContaining("below the goal of 50") })
  }, 120_000)

  it("exits with 3 if there is no report, and names the service", async () => {
    expect(await docgauge("https://failing.remote-cli.dev", "--server", service.url)).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining(`The service is ${service.url}.`) })
    expect(await docgauge("https://docs.remote-cli.dev", "--server", `${service.url}/nowhere`)).toMatchObject({ code: 3 })
  }, 120_000)

  it("exits with 2 if --server is not a URL", async () => {
    expect(await docgauge("https://docs.remote-cli.dev", "--server", "docgauge")).toMatchObject({ code: 2, stderr: expect.stringContaining("--server takes the URL") })
  }, 120_000)
})

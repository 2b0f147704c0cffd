import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { answerForEver, anyService } from "../server/AnyService.ts"
import { startService, type TestService } from "../server/TestService.ts"
import { runCli } from "./RunCli.ts"
import { runHere } from "./RunHere.ts"

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const docgauge = (...args: ReadonlyArray<string>) => runHere(args)

describe("docgauge <url> --server", () => {
  it("prints the report that the service made", async () => {
    const { code, stdout } = await runCli([
      "https://docs71.remote-cli.dev",
      "--server",
      service.url,
      "--format",
      "json"
    ])
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { base_url: "https://docs71.remote-cli.dev", total_score: 71 }
    ])
  })

  it("applies --min-score as in a local audit", async () => {
    expect(
      await docgauge(
        "https://docs30.remote-cli.dev",
        "--server",
        `${service.url}/`,
        "--min-score",
        "50",
        "--format",
        "json"
      )
    ).toMatchObject({ code: 1, stderr: expect.stringContaining("below the goal of 50") })
  })

  it("exits with 3 if there is no report, and names the service", async () => {
    expect(await docgauge("https://failing.remote-cli.dev", "--server", service.url)).toMatchObject({
      code: 3,
      stdout: "",
      stderr: expect.stringContaining(`The service is ${service.url}.`)
    })
    expect(await docgauge("https://docs.remote-cli.dev", "--server", `${service.url}/nowhere`)).toMatchObject({
      code: 3
    })
  })

  it("exits with 3 if an answer of the server has no end, of which it reads 16 MB", async () => {
    let sent = 0
    const server = await anyService((_, response) =>
      answerForEver(response, (bytes) => {
        sent += bytes
      })
    )
    const { code, stderr, stdout } = await docgauge("https://docs.remote-cli.dev", "--server", server.url)
    await server.stop()
    expect([code, stdout]).toEqual([3, ""])
    expect(stderr).toContain(
      `The answer of ${server.url}/audit is longer than 16 MB, so the rest was not read. Check that this is the URL of a docgauge service.\nThe service is ${server.url}.`
    )
    // What is on its way in the buffers of both sides comes on top.
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })

  it("exits with 2 if --server is not a URL", async () => {
    expect(await docgauge("https://docs.remote-cli.dev", "--server", "docgauge")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--server takes the URL")
    })
  })
})

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeLookup } from "../../../engine/evidence/http/Resolver.ts"
import { type NameServer, nameServer } from "../../evidence/NameServer.ts"
import { startService, type TestService } from "../TestService.ts"

/** Names of `slow.dev` are never answered for, all others at once. */
let names: NameServer
let service: TestService
beforeAll(async () => {
  names = await nameServer((name) => (name.endsWith(".slow.dev") ? "silence" : { a: ["93.184.216.34"] }))
  const lookup = makeLookup({ servers: [names.address], hostsFile: "/dev/null" })
  service = await startService({ lookup, env: { DOCGAUGE_TRUST_PROXY: "1", DOCGAUGE_RESOLVE: Array.from({ length: PAIRS }, (_, index) => `${ledName(index)}:443:127.0.0.1:9`).join(",") } })
})
afterAll(async () => {
  await service.stop()
  await names.close()
})

const submit = (host: string, client: string): Promise<Response> =>
  service.submit({ base_url: `https://${host}` }, "?async=true", { "x-forwarded-for": client })

/** Milliseconds until a submission was accepted. */
const acceptedMs = async (host: string): Promise<number> => {
  const startedAt = performance.now()
  expect((await submit(host, "203.0.113.7")).status).toBe(202)
  return performance.now() - startedAt
}

const PAIRS = 9

/** A name that is not looked up. */
const ledName = (index: number): string => `held.led${index}.dev`

/** How much longer submissions took whose names are looked up than those sent right before whose names are not: what else the machine does delays both. Only those that ended while `counts`. */
const delaysMs = async (counts: () => boolean): Promise<ReadonlyArray<number>> => {
  const delays: Array<number> = []
  for (let index = 0; index < PAIRS && counts(); index += 1) {
    const led = await acceptedMs(ledName(index))
    const lookedUp = await acceptedMs(`held.beside${index}.dev`)
    if (counts()) delays.push(lookedUp - led)
  }
  return delays
}

const medianOf = (values: ReadonlyArray<number>): number => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

const askedSlowly = (): number => new Set(names.questions.filter((name) => name.endsWith(".slow.dev"))).size

describe("names whose look-up never ends", () => {
  it("delay no other client's submission, and end after 5 s", async () => {
    await acceptedMs("held.warm.dev")
    const startedAt = performance.now()
    const slow = Array.from({ length: 40 }, (_, index) => submit(`n${index}.slow.dev`, `198.51.${index}.1`))
    await expect.poll(askedSlowly).toBe(40)
    const over = new AbortController()
    void Promise.race(slow).then(() => over.abort())
    const delays = await delaysMs(() => !over.signal.aborted)
    expect(delays.length).toBeGreaterThanOrEqual(3)
    expect(medianOf(delays)).toBeLessThan(100)
    const answers = await Promise.all(slow)
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    for (const answer of answers) expect([answer.status, Object.keys(JSON.parse(await answer.text()))]).toEqual([422, ["error"]])
  })

  it("are looked up two at a time per network; the others wait, and are told to retry", async () => {
    const before = askedSlowly()
    const slow = Array.from({ length: 6 }, (_, index) => submit(`one${index}.slow.dev`, `192.0.2.${index}`))
    await expect.poll(askedSlowly).toBe(before + 2)
    const others = await submit("held.elsewhere.dev", "203.0.113.9")
    expect(others.status).toBe(202)
    const answers = await Promise.all(slow)
    expect(askedSlowly()).toBe(before + 2)
    expect([422, 429].map((wanted) => answers.filter(({ status }) => status === wanted).length)).toEqual([2, 4])
    const refused = answers.find(({ status }) => status === 429)
    expect([refused?.headers.get("retry-after"), await refused?.json()]).toEqual(["5", { error: "Too many requests. Wait 5 seconds.", code: "rate_limited", retry_after: 5 }])
    expect(await (await service.ask("/metrics")).text()).toMatch(/docgauge_limit_refusals_total\{policy="lookup"\} 4\n/)
  })
})

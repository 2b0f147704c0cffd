import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Lookup } from "../../../engine/evidence/http/Destination.ts"
import { makeLookup } from "../../../engine/evidence/http/Network.ts"
import { type NameServer, nameServer } from "../../evidence/NameServer.ts"
import { startService, type TestService } from "../TestService.ts"

/** Names of `slow.dev` are never answered for, all others at once. */
let names: NameServer
let service: TestService
beforeAll(async () => {
  names = await nameServer((name) => (name.endsWith(".slow.dev") ? "silence" : { a: ["93.184.216.34"] }))
  const lookup = counted(makeLookup({ servers: [names.address], hostsFile: "/dev/null" }))
  service = await startService({
    lookup,
    env: {
      DOCGAUGE_TRUST_PROXY: "1",
      DOCGAUGE_RESOLVE: Array.from({ length: PAIRS }, (_, index) => `${ledName(index)}:443:127.0.0.1:9`).join(",")
    }
  })
})
afterAll(async () => {
  await service.stop()
  await names.close()
})

/** Look-ups of names that one network submits: those that began, those under way, and the most at once. */
const ofOneNetwork = { begun: new Set<string>(), underWay: new Set<string>(), most: 0 }

const counted =
  (lookup: Lookup): Lookup =>
  (name, signal) => {
    if (!name.startsWith("one")) return lookup(name, signal)
    const { begun, underWay } = ofOneNetwork
    begun.add(name)
    underWay.add(name)
    ofOneNetwork.most = Math.max(ofOneNetwork.most, underWay.size)
    const end = (): void => {
      underWay.delete(name)
    }
    signal?.addEventListener("abort", end, { once: true })
    return lookup(name, signal).finally(end)
  }

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

/** Pairs of submissions that were sent. */
let pairs = 0

/** How much longer submissions took whose names are looked up than those sent right before whose names are not: what else the machine does delays both. Only those that ended while `counts`. */
const delaysMs = async (counts: () => boolean): Promise<ReadonlyArray<number>> => {
  const delays: Array<number> = []
  for (; pairs < PAIRS && counts(); pairs += 1) {
    const led = await acceptedMs(ledName(pairs))
    const lookedUp = await acceptedMs(`held.beside${pairs}.dev`)
    if (counts()) delays.push(lookedUp - led)
  }
  return delays
}

const medianOf = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

const askedSlowly = (): number => new Set(names.questions.filter((name) => name.endsWith(".slow.dev"))).size

describe("names whose look-up never ends", () => {
  it("delay no other client's submission, and end after 5 s", async () => {
    await acceptedMs("held.warm.dev")
    const delays: Array<number> = []
    // Those that have to wait for a look-up to end wait 4 s. A machine that stalls may need several rounds for a pair that it does not delay.
    for (let round = 1; round <= 3 && !(medianOf(delays) < 1_000); round += 1) {
      const startedAt = performance.now()
      const slow = Array.from({ length: 40 }, (_, index) =>
        submit(`n${index}.round${round}.slow.dev`, `198.51.${index}.1`)
      )
      await expect.poll(askedSlowly).toBe(40 * round)
      const over = new AbortController()
      void Promise.race(slow).then(() => over.abort())
      delays.push(...(await delaysMs(() => !over.signal.aborted)))
      const answers = await Promise.all(slow)
      expect(performance.now() - startedAt).toBeLessThan(60_000)
      for (const answer of answers)
        expect([answer.status, Object.keys(JSON.parse(await answer.text()))]).toEqual([422, ["error"]])
    }
    expect(medianOf(delays)).toBeLessThan(1_000)
  })

  it("are looked up two at a time per network; the others wait, and are told to retry", async () => {
    const hosts = Array.from({ length: 6 }, (_, index) => `one${index}.slow.dev`)
    const slow = hosts.map((host, index) => submit(host, `192.0.2.${index}`))
    const others = await submit("held.elsewhere.dev", "203.0.113.9")
    expect(others.status).toBe(202)
    const answers = await Promise.all(slow)
    const { begun, most } = ofOneNetwork
    expect(most).toBe(2)
    expect(answers.map(({ status }) => status)).toEqual(hosts.map((host) => (begun.has(host) ? 422 : 429)))
    // Four, unless the machine is so slow that the first two end before two others have waited for 4 s.
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(2)
    for (const answer of refused) {
      expect([answer.headers.get("retry-after"), await answer.json()]).toEqual([
        "5",
        { error: "Too many requests. Wait 5 seconds.", code: "rate_limited", retry_after: 5 }
      ])
    }
    expect(await (await service.ask("/metrics")).text()).toContain(
      `docgauge_limit_refusals_total{policy="lookup"} ${refused.length}\n`
    )
  })
})

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { delayed, HealthProbe, mainThreadOf, unhealthy } from "./HealthProbe.ts"
import { expectPlan, planAt } from "./HostilePlan.ts"
import {
  GATHER_SECONDS,
  GRACE_MS,
  type HostileService,
  serveHostileSites,
  type SiteServer,
  startHostileService
} from "./HostileService.ts"
import type { HostileSites } from "./HostileSite.ts"
import { Turns } from "./Turns.ts"

/** Audits at once: enough that the sites that are waited for cost no time, few enough that the others get some. */
const AT_ONCE = 3

const LONGEST_MS = GATHER_SECONDS * 1_000 + GRACE_MS

/** Families whose attack is over once a page is read: what is written from them is as for any site. */
const READ_AS_ANY: ReadonlySet<string> = new Set(["addresses", "transport"])

/**
 * Audits every site by a service in a process of its own, several at once, and asks for the fixes of each planned run that is done: both end
 * within their limits, and delay no other request.
 */
export const testThatAuditsEnd = (
  families: Readonly<Record<string, HostileSites>>,
  isPlanned: (name: string) => boolean
): void => {
  let server: SiteServer
  let hostile: HostileService
  let probe: HealthProbe
  const turns = new Turns(AT_ONCE)

  beforeAll(async () => {
    server = await serveHostileSites()
    hostile = await startHostileService(server, AT_ONCE, { DOCGAUGE_FIX_RATE: "off" })
    probe = new HealthProbe(hostile.url, { clock: mainThreadOf(hostile.service.child.pid) })
  })

  afterAll(async () => {
    await probe.stop()
    await hostile.remove()
    server.child.kill()
  })

  describe.each(Object.entries(families))(
    "an audit ends within its limit whatever the %s",
    { concurrent: true },
    (family, sites) => {
      it.each(Object.keys(sites))("%s", async (name) => {
        const { error, id, milliseconds, ranMs, score, status } = await turns.take(() => hostile.audit(name))
        console.log(
          `${name.padEnd(28)} ${status.padEnd(7)} ${(milliseconds / 1_000).toFixed(1).padStart(5)} s  ${score ?? error?.slice(0, 160) ?? ""}`
        )
        expect(status).toMatch(/^(?:done|error)$/)
        // A busy machine lets the end happen as late as it lets /healthz answer.
        expect(ranMs).toBeLessThan(LONGEST_MS + probe.longestMs)
        // What a client is told of a failure names neither files nor lines of ours.
        expect(error ?? "").not.toMatch(/\.ts\b|node:|node_modules|\/work\/|\bat \w+ \(/)
        if (status === "done" && !READ_AS_ANY.has(family) && isPlanned(name))
          expectPlan(name, await turns.take(() => planAt(hostile.url, id)))
      })
    }
  )

  describe("while these audits ran", () => {
    it("no answer of /healthz waited for work of the serving thread", async () => {
      const answers = await probe.stop()
      const times = answers.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other)
      console.log(
        `/healthz: ${times.length} answers, p99 ${times[Math.floor(times.length * 0.99)]?.toFixed(0)} ms, longest ${times.at(-1)?.toFixed(0)} ms; at most ${Math.max(...answers.map(({ cpuMs }) => cpuMs)).toFixed(0)} ms of processor time before one`
      )
      expect(answers.length).toBeGreaterThan(50)
      expect(unhealthy(answers)).toEqual([])
      expect(delayed(answers)).toEqual([])
    })

    it("the process did not end, and ends in order afterwards", async () => {
      expect(await hostile.end()).toMatchObject({ code: 0 })
    })
  })
}

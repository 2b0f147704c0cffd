import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, expect, it } from "vitest"
import { serveHostileSites, type SiteServer, startHostileService } from "./HostileService.ts"

/** Sites that are audited at once when the signal comes. */
const AT_ONCE = 10

/** After the last audit has begun: the worst are in the middle of their work then. */
const INTO_WORK_MS = 1_000

/** Ends a service amid audits of every site once; sites of one family are in different groups, so that no group is harmless. */
export const testThatServicesEnd = (names: ReadonlyArray<string>): void => {
  const count = Math.ceil(names.length / AT_ONCE)
  const groups = Array.from({ length: count }, (_, group) => names.filter((_, index) => index % count === group))

  let server: SiteServer
  beforeAll(async () => {
    server = await serveHostileSites()
  })
  afterAll(() => {
    server.child.kill()
  })

  it.each(groups.map((names) => [names.join(", "), names] as const))(
    "SIGTERM ends the process amid audits of %s",
    async (_, names) => {
      const hostile = await startHostileService(server, names.length, { DOCGAUGE_GRACE_SECONDS: "1" })
      try {
        for (const id of await Promise.all(names.map((name) => hostile.submit(name))))
          while ((await hostile.statusOf(id)) === "pending") await pause(100)
        await pause(INTO_WORK_MS)
        const { code, tookMs } = await hostile.end()
        console.log(
          `SIGTERM amid ${names[0]} and ${names.length - 1} more: ${Math.round(tookMs)} ms, exit code ${code}`
        )
        expect(code).toBe(0)
      } finally {
        await hostile.remove()
      }
    },
    300_000
  )
}

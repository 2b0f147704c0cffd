import { afterEach, describe, expect, it } from "vitest"
import { type AdminTestService, eventually, startAdminService } from "../admin/AdminService.ts"
import { startService, type TestService } from "../TestService.ts"

let service: TestService | AdminTestService
afterEach(() => service.stop())

/** As soon as a busy machine comes to it. */
const from = (client: string) => ({ "x-forwarded-for": client })

const asked = (host: string, client: string) =>
  service.submit({ base_url: `https://${host}` }, "?async=true", from(client))

const statusOf = async (accepted: Response): Promise<unknown> => {
  const body = (await (await service.ask(`/api/public/audit/${accepted.headers.get("x-audit-run-id")}`)).json()) as {
    readonly status: unknown
  }
  return body.status
}

/** Runs of `held.*` wait for `release`; one is audited at a time. */
const start = async (env: Readonly<Record<string, string>>): Promise<void> => {
  service = await startService({ env: { DOCGAUGE_TRUST_PROXY: "1", DOCGAUGE_CONCURRENT_AUDITS: "1", ...env } })
}

describe("the runs of a client network", () => {
  it("are refused beyond two that wait or run, after the target window and before the quota of the site", async () => {
    await start({ DOCGAUGE_CLIENT_RUNS: "2", DOCGAUGE_SITE_QUOTA: "1/24h", DOCGAUGE_TARGET_WINDOW: "1s" })
    const earlier = await service.submit({ base_url: "https://docs.earlier.dev" }, "", from("198.51.100.1"))
    expect(earlier.status).toBe(200)
    const first = await asked("held.one.dev", "198.51.100.2")
    expect([first.status, (await asked("held.two.dev", "198.51.100.3")).status]).toEqual([202, 202])
    await new Promise((resolve) => setTimeout(resolve, 1_100))

    const refused = await asked("docs.earlier.dev", "198.51.100.4")
    const body = await refused.json()
    expect([refused.status, body]).toEqual([
      429,
      {
        error: "Your network already has 2 audits waiting or running. Wait 30 seconds.",
        code: "rate_limited",
        retry_after: 30
      }
    ])
    expect(refused.headers.get("retry-after")).toBe("30")
    expect(refused.headers.get("ratelimit")).toBe('"runs";r=0;t=30')
    expect(refused.headers.get("ratelimit-policy")).toBe('"runs";q=2;w=30')
    const joined = await asked("held.one.dev", "198.51.100.4")
    expect([joined.status, joined.headers.get("x-audit-run-id")]).toEqual([202, first.headers.get("x-audit-run-id")])
    expect((await asked("held.three.dev", "198.51.101.1")).status).toBe(202)

    service.auditor.release()
    await expect.poll(() => statusOf(first)).toBe("done")
    await expect
      .poll(async () => ((await (await asked("docs.earlier.dev", "198.51.100.4")).json()) as { code: unknown }).code)
      .toBe("site_quota")
    expect(await (await service.ask("/metrics")).text()).toMatch(
      /docgauge_limit_refusals_total\{[^}]*policy="runs"[^}]*\} 1/
    )
  })

  it("are at most two by default, and unlimited if the limit is off", async () => {
    await start({ DOCGAUGE_CLIENT_RUNS: "" })
    expect(
      (await Promise.all(["a", "b", "c"].map((name) => asked(`held.${name}.dev`, "198.51.100.1"))))
        .map(({ status }) => status)
        .toSorted((one, other) => one - other)
    ).toEqual([202, 202, 429])
    await service.stop()
    await start({ DOCGAUGE_CLIENT_RUNS: "off" })
    expect(
      (await Promise.all(["a", "b", "c"].map((name) => asked(`held.${name}.dev`, "198.51.100.1")))).map(
        ({ status }) => status
      )
    ).toEqual([202, 202, 202])
    service.auditor.release()
  })
})

describe("the runs of a wider network", () => {
  it("are refused beyond a tenth of the queue, so that 60 networks of one /48 leave room for others", async () => {
    await start({ DOCGAUGE_CLIENT_RUNS: "", DOCGAUGE_QUEUE_LIMIT: "40" })
    const networks = Array.from({ length: 60 }, (_, index) => `2001:db8:1:${index.toString(16)}00::1`)
    const answers = []
    for (const [index, client] of networks.entries()) answers.push(await asked(`held.site${index}.dev`, client))
    expect(answers.map(({ status }) => status)).toEqual(networks.map((_, index) => (index < 4 ? 202 : 429)))
    const [refused] = answers.slice(4)
    expect(await refused?.json()).toEqual({
      error:
        "The network 2001:db8:1::/48, which yours is part of, already has 4 audits waiting or running, as many as it may have. Wait 30 seconds, or run npx docgauge URL now.",
      code: "rate_limited",
      retry_after: 30
    })
    expect(["retry-after", "ratelimit", "ratelimit-policy"].map((name) => refused?.headers.get(name))).toEqual([
      "30",
      '"network";r=0;t=30',
      '"network";q=4;w=30'
    ])
    expect(await (await service.ask("/metrics")).text()).toMatch(
      /docgauge_limit_refusals_total\{[^}]*policy="network"[^}]*\} 56/
    )

    const others = ["2001:db8:2::1", "2001:db9:1::1", "198.51.100.1", "10.0.0.1"]
    for (const [index, client] of others.entries())
      expect((await asked(`held.other${index}.dev`, client)).status).toBe(202)
    service.auditor.release()
    for (const accepted of answers.slice(0, 4)) await expect.poll(() => statusOf(accepted)).toBe("done")
    expect((await asked("held.later.dev", "2001:db8:1:5500::1")).status).toBe(202)
  })

  it("are not limited for private networks, nor if the limit is off, and at most as many as the operator sets", async () => {
    const statuses = async (prefix: string) => {
      const answers = []
      for (const index of [1, 2, 3, 4])
        answers.push((await asked(`held.${prefix}${index}.dev`, `${prefix}.${index}.1`)).status)
      return answers
    }
    await start({ DOCGAUGE_CLIENT_RUNS: "1", DOCGAUGE_NETWORK_RUNS: "3" })
    expect([await statuses("10.0"), await statuses("198.51")]).toEqual([
      [202, 202, 202, 202],
      [202, 202, 202, 429]
    ])
    service.auditor.release()
    await service.stop()
    await start({ DOCGAUGE_CLIENT_RUNS: "1", DOCGAUGE_NETWORK_RUNS: "off", DOCGAUGE_QUEUE_LIMIT: "20" })
    expect(await statuses("198.51")).toEqual([202, 202, 202, 202])
    service.auditor.release()
  })
})

describe("a queue that is full", () => {
  it("answers 503 without a code and with Retry-After, costs no quota, and loses no run", async () => {
    await start({ DOCGAUGE_QUEUE_LIMIT: "2", DOCGAUGE_SITE_QUOTA: "1/24h" })
    const running = await asked("held.one.dev", "192.0.2.1")
    await expect.poll(() => statusOf(running)).toBe("running")
    const waiting = [await asked("held.two.dev", "192.0.2.1"), await asked("held.three.dev", "192.0.2.1")]
    const refused = await asked("docs.four.dev", "198.51.100.1")
    expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
      503,
      "30",
      { error: "The queue is full: 2 audits are already waiting. Try again in 30 seconds." }
    ])
    expect((await asked("held.two.dev", "198.51.100.1")).status).toBe(202)
    const page = await service.ask("/audit", {
      method: "POST",
      headers: { ...from("198.51.100.1"), accept: "text/html" },
      body: new URLSearchParams({ base_url: "https://docs.four.dev" })
    })
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "30"])
    expect(await page.text()).toContain("The queue is full: 2 audits are already waiting.")

    service.auditor.release()
    for (const run of [running, ...waiting]) await expect.poll(() => statusOf(run)).toBe("done")
    expect((await asked("docs.four.dev", "198.51.100.1")).status).toBe(202)
  })

  it("still accepts audits of operators, and scheduled audits a little later", async () => {
    const admin = await startAdminService({ pace: "50 millis", env: { DOCGAUGE_QUEUE_LIMIT: "1" } })
    service = admin
    await admin.admin("POST", "/queue/pause")
    expect((await admin.admin("POST", "/runs", { base_url: "https://docs.one.dev" })).status).toBe(202)
    const { body } = await admin.admin("POST", "/schedules", { base_url: "https://docs.two.dev", every: "1d" })
    const { id } = body as { readonly id: string }
    const problem = ({ body }: { readonly body: unknown }): string | null =>
      (body as { readonly last_problem: string | null }).last_problem
    const scheduled = await eventually(
      () => admin.viewer("GET", `/schedules/${id}`),
      (answer) => problem(answer) !== null
    )
    expect(problem(scheduled)).toBe("The queue is full: 1 audit is already waiting. Try again in 30 seconds.")
    expect((await admin.admin("POST", "/runs", { base_url: "https://docs.three.dev" })).status).toBe(202)
  })
})

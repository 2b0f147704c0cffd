import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import process from "node:process"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { callerWith, type AdminTestService, SECRET, startAdminService } from "./AdminService.ts"
import { operationsOf } from "./DocumentCheck.ts"

const text = readFileSync(new URL("../../../docs/admin.md", import.meta.url), "utf8")

/** The calls of the examples, as operations: `GET /api/admin/runs/{id}`. */
const calls = [...text.matchAll(/^admin ([A-Z]+) '?([^\s'?]+)[^\s']*'?(?: +'([^']+)')?/gm)].map(
  ([, method = "", path = "", body]) => ({
    method,
    path,
    body,
    name: `${method} /api/admin${path.replace(/RUN_ID|SCHEDULE_ID/, "{id}").replace(/^\/dashboards\/acme/, "/dashboards/{slug}")}`
  })
)

let service: AdminTestService
beforeAll(async () => {
  service = await startAdminService()
})
afterAll(() => service.stop())

describe("docs/admin.md", () => {
  it("creates a valid token", async () => {
    const [, script = ""] = /<!-- token:begin -->\n```sh\n([\s\S]+?)```/.exec(text) ?? []
    const token = execFileSync("sh", ["-c", `${script}\nprintf %s "$TOKEN"`], {
      encoding: "utf8",
      env: {
        ...process.env,
        PATH: `${process.execPath.replace(/\/node$/, "")}:${process.env["PATH"]}`,
        DOCGAUGE_ADMIN_JWT_SECRET: SECRET
      }
    })
    expect(await callerWith(service.url, token)("POST", "/queue/resume")).toMatchObject({ status: 200 })
  })

  it("has an example of every operation and of no other", async () => {
    const { body } = await service.viewer("GET", "/openapi.json")
    expect([...new Set(calls.map(({ name }) => name))].sort()).toEqual(
      operationsOf(body)
        .map(({ name }) => name)
        .sort()
    )
  })

  it("shows valid bodies", async () => {
    for (const { body, method, path } of calls) {
      if (body === undefined || path.includes("_ID")) continue
      const { status } = await service.admin(method, path, JSON.parse(body))
      expect([200, 201, 202], `${method} ${path}: ${status}`).toContain(status)
      // The examples that follow are about the same site.
      if (path === "/sites/takedown") await service.admin("POST", "/sites/unblock", { site: "docs.example.com" })
    }
  })

  it("names every variable, as docs/configuration.md does", () => {
    const configuration = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8")
    for (const name of ["JWT_SECRET", "JWKS_URL", "JWT_ISSUER", "JWT_AUDIENCE"]
      .map((end) => `DOCGAUGE_ADMIN_${end}`)
      .concat("DOCGAUGE_RETENTION")) {
      expect(text).toContain(name)
      expect(configuration).toContain(name)
    }
  })
})

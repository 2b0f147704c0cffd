import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { NAMED_AGENTS } from "../../../engine/audit/agents/NamedAgents.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { runRecordOf } from "../../../engine/audit/AuditRequest.ts"
import { ENGINE_VERSION } from "../../../engine/audit/Version.ts"
import { REQUESTS_AS_AGENTS } from "../../../engine/evidence/AuditBudget.ts"
import { openArchive } from "../../../engine/evidence/archive/Replay.ts"
import { PROGRAM } from "../../harness/program/BuiltProgram.ts"
import { LIMITLESS, ServiceProcess } from "../../harness/ServiceProcess.ts"
import { serveSmallSites, smallSite } from "../../harness/SmallSites.ts"
import { expectByContract } from "../api/ContractCheck.ts"

import { FILE, notOwner, runIdOf } from "./Owners.ts"

describe("a real audit that asks as named agents", () => {
  it("asks as them in the owner's run alone, and has the score, diff, plan and replay of any other", async () => {
    let token = ""
    const sentAs: Array<string> = []
    const sites = await serveSmallSites({
      seen: ({ headers }) => {
        const as = headers["x-docgauge"]
        if (typeof as === "string") sentAs.push(as)
      },
      instead: ({ url }, response) => {
        if (url !== FILE) return false
        response.writeHead(200, { "content-type": "text/plain" }).end(token)
        return true
      }
    })
    const folder = mkdtempSync(join(tmpdir(), "docgauge-as-agents-"))
    const service = new ServiceProcess({
      program: PROGRAM,
      env: {
        ...LIMITLESS,
        ...sites.env,
        PORT: "0",
        DOCGAUGE_DATABASE_URL: `file:${join(folder, "runs.db")}`,
        DOCGAUGE_ARCHIVES: join(folder, "archives")
      }
    })
    try {
      const url = await service.url
      const ask = async (path: string, body?: unknown): Promise<Response> => {
        const init =
          body === undefined
            ? {}
            : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
        const answer = await fetch(url + path, init)
        await expectByContract(body === undefined ? "GET" : "POST", path, answer.clone())
        return answer
      }
      const base_url = smallSite(1)
      const plain = await ask("/audit", { base_url })
      const { ownership } = await notOwner(await ask("/audit", { base_url, as_agents: true }))
      token = ownership.token
      expect(sentAs).toEqual([])
      const owners = await ask("/audit", { base_url, as_agents: true, owner_key: ownership.owner_key })
      const asked = sentAs.length
      const { as_agents: matrix, ...rest } = (await owners.json()) as AuditReport
      expect(rest).toEqual(await plain.json())
      expect(matrix?.requests).toBe(asked)
      expect(asked).toBeLessThanOrEqual(REQUESTS_AS_AGENTS)
      expect(new Set(sentAs)).toEqual(new Set(NAMED_AGENTS.map(({ id }) => `docgauge/${ENGINE_VERSION}; as=${id}`)))
      // A stranger gets the run of a stranger, and nothing is asked for it.
      expect(runIdOf(await ask("/audit", { base_url }))).toBe(runIdOf(plain))
      expect(sentAs.length).toBe(asked)

      const id = runIdOf(owners)
      const diff = (await (await ask(`/api/public/audit/${id}/diff?baseline=${runIdOf(plain)}`)).json()) as {
        readonly criteria: ReadonlyArray<{ readonly delta: number }>
      }
      expect(new Set(diff.criteria.map(({ delta }) => delta))).toEqual(new Set([0]))
      const plan = (await (await fetch(`${url}/r/${id}/fix.json`)).json()) as Record<string, AuditReport>
      expect(plan["before"]?.total_score ?? plan).toBe(rest.total_score)
      expect(JSON.stringify(plan)).not.toContain("as_agents")
      const archive = await openArchive(
        new Uint8Array(await (await ask(`/api/public/audit/${id}/archive`)).arrayBuffer())
      ).pipe(Effect.runPromise)
      expect(archive.run === null ? null : runRecordOf(archive.run)).toMatchObject({
        askedAgents: NAMED_AGENTS.map(({ id }) => id),
        asAgentsHost: new URL(base_url).host
      })
    } finally {
      await service.end()
      await sites.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { freePort } from "../harness/port/FreePort.ts"

/** Our own service on a free port, and a temporary folder for its data and that of the work. */
export const withOwnService = async <A>(work: (base: string, folder: string) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-foreign-service-"))
  const port = await freePort()
  const base = `http://localhost:${port}`
  const service = spawn(process.execPath, [join(import.meta.dirname, "../../server/main.ts")], {
    stdio: "ignore",
    env: {
      ...process.env,
      PORT: String(port),
      HOST: "127.0.0.1",
      DOCGAUGE_BASE_URL: base,
      DOCGAUGE_DATABASE_URL: `file:${join(folder, "runs.db")}`,
      DOCGAUGE_ARCHIVES: join(folder, "archives"),
      DOCGAUGE_BROWSE_RATE: "off"
    }
  })
  const ended = once(service, "exit")
  try {
    for (let tries = 0; tries < 120 && !(await isUp(base)); tries++) await pause(500)
    return await work(base, folder)
  } finally {
    service.kill()
    await ended
    rmSync(folder, { recursive: true })
  }
}

const isUp = (base: string): Promise<boolean> =>
  fetch(`${base}/healthz`).then(
    ({ ok }) => ok,
    () => false
  )

/** The pages of our own that sitemap.xml lists. */
export const ownPages = async (base: string): Promise<ReadonlyArray<string>> => {
  const text = await (await fetch(`${base}/sitemap.xml`)).text()
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => url)
}

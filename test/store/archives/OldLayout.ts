import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { domainOf } from "../../../engine/evidence/Address.ts"
import { digestKey } from "../../../engine/store/database/ColumnValues.ts"
import type { Proof } from "../../../engine/store/archives/ArchiveStore.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"

const write = (path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, content, { mode: 0o600 })
}

/** Writes an archive as versions until schema 0004 did: with its markers, the ledger of sizes and the owner of the folder. */
export const writeOldArchive = (
  folder: string,
  { id, site }: Pick<Run, "id" | "site">,
  content: string | Uint8Array = `archive of ${id}`,
  attempt = 1,
  proof: Proof = "report"
): void => {
  const name = `${id}.${attempt}`
  write(join(folder, "sites", proof === "report" ? digestKey(site) : digestKey(site, proof), name), "")
  write(join(folder, "domains", digestKey(domainOf(site)), name), proof)
  write(join(folder, "runs", id.slice(-2), `${name}.warc.gz`), content)
  write(join(folder, "ledger"), `ledger 3f0c7a52-6a1e-4b0e-9d43-0a6f7a1f2f10\n${content.length}\n`)
  write(join(folder, "database"), `${"ab".repeat(32)} 1764000000000\n`)
}

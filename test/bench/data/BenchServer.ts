import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import * as Schema from "effect/Schema"
import { CORPUS, extractSites, whenListening } from "../../corpus/CorpusServer.ts"

/** The corpus as the bench serves it: each site at a port of its own, so that tools that cannot be led elsewhere reach it. */
export interface BenchServer {
  /** In the order of their names, the small site with the large description included. */
  readonly sites: ReadonlyArray<BenchSite>
  /** Where each site is served by its name, `http://SLUG.test`, if that name is led there. */
  readonly port: number
  /** What was asked since the last call. */
  readonly asked: () => Promise<ReadonlyArray<AccessLine>>
  /** The largest API description of the corpus. */
  readonly largeDescription: Uint8Array
  readonly stop: () => Promise<void>
}

export interface BenchSite {
  readonly slug: string
  readonly url: string
}

/** A line of the server's access log: everything that tells one request from another. */
export const AccessLine = Schema.Struct({
  m: Schema.String,
  port: Schema.Int,
  url: Schema.String,
  accept: Schema.optionalKey(Schema.String),
  ua: Schema.optionalKey(Schema.String)
})
export type AccessLine = typeof AccessLine.Type

/** A site of our own around GitHub's description. */
export const LARGE = "large-description"

/** Added to each answer, in milliseconds. */
export const DELAY = 50

const LARGE_DESCRIPTION = "specs_dev/github-rest-octokit.json"

const SiteList = Schema.fromJsonString(Schema.Array(Schema.Struct({ slug: Schema.String, basePath: Schema.String })))

/** Extracts the corpus into a temporary folder and serves it, each answer `DELAY` late, addresses rewritten to where it is served. */
export const startBenchServer = async (): Promise<BenchServer> => {
  const folder = await mkdtemp(join(tmpdir(), "docgauge-bench-"))
  const root = join(folder, "sites")
  await extractSites(root)
  await promisify(execFile)("tar", ["-xJf", join(CORPUS, "specs.tar.xz"), "-C", folder])
  await copyFile(join(CORPUS, "provenance.tsv"), join(folder, "provenance.tsv"))
  const largeDescription = await readFile(join(folder, LARGE_DESCRIPTION))
  await writeLargeSite(join(root, LARGE), largeDescription)
  const slugs = (await readdir(root)).sort()
  const first = await freeRange(slugs.length + 1)
  const log = join(folder, "access.jsonl")
  const args = [
    "--root",
    root,
    "--port",
    String(first),
    "--per-site-ports",
    String(first + 1),
    "--fault",
    `slow-${DELAY},rw`,
    "--log",
    log
  ]
  const server = spawn(process.execPath, [join(CORPUS, "serve.mjs"), ...args], { stdio: ["ignore", "pipe", "ignore"] })
  await whenListening(server)
  const paths = new Map(
    Schema.decodeUnknownSync(SiteList)(await readFile(join(CORPUS, "sites.json"), "utf8")).map(({ basePath, slug }) => [
      slug,
      basePath
    ])
  )
  let read = 0
  return {
    port: first,
    sites: slugs.map((slug, index) => ({ slug, url: `http://127.0.0.1:${first + 1 + index}${paths.get(slug) ?? ""}` })),
    asked: async () => {
      const lines = (await settled(log)).split("\n").filter((line) => line !== "")
      const fresh = lines.slice(read)
      read = lines.length
      return fresh.map((line) => Schema.decodeUnknownSync(AccessLine)(JSON.parse(line)))
    },
    largeDescription,
    stop: async () => {
      const ended = once(server, "exit")
      server.kill()
      await ended
      await rm(folder, { recursive: true })
    }
  }
}

/** The log, once nothing is added to it any more. */
const settled = async (log: string): Promise<string> => {
  for (let before = await readFile(log, "utf8"); ;) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const now = await readFile(log, "utf8")
    if (now.length === before.length) return now
    before = now
  }
}

const PAGES = 12

const writeLargeSite = async (folder: string, description: Uint8Array): Promise<void> => {
  await mkdir(folder)
  await writeFile(join(folder, "openapi.json"), description)
  const names = Array.from({ length: PAGES }, (_, index) => (index === 0 ? "index" : `guide-${index}`))
  const links = names.map((name) => `<a href="${name}.html">${name}</a>`).join(" ")
  await Promise.all(names.map((name) => writeFile(join(folder, `${name}.html`), pageOf(name, links))))
}

const pageOf = (name: string, links: string): string => `<!doctype html>
<html lang="en">
<head><title>${name} of the large API</title><link rel="service-desc" type="application/json" href="/openapi.json"></head>
<body><nav>${links}</nav><main><h1>${name}</h1><p>${"What this part of the API is for, told in a sentence. ".repeat(30)}</p></main></body>
</html>`

/** The first of several ports in a row of the loopback address at which nothing listens. */
const freeRange = async (size: number): Promise<number> => {
  for (let first = 20_000; first < 60_000; first += size) {
    const taken = await Promise.all(Array.from({ length: size }, (_, index) => listens(first + index)))
    if (!taken.includes(true)) return first
  }
  throw new Error("no free ports could be found")
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    const answer = (taken: boolean) => {
      socket.destroy()
      resolve(taken)
    }
    socket.once("connect", () => answer(true)).once("error", () => answer(false))
  })

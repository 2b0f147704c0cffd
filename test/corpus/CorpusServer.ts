import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { existsSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { isAvailable, isCi } from "../harness/Availability.ts"
import { freePort } from "../harness/port/FreePort.ts"

/** Real sites, published by others, beside this repository and no part of it. */
export const CORPUS = join(import.meta.dirname, "../../../shared/corpus")
const archivesOf = (corpus: string): string => join(corpus, "sites")

/** A machine without `../shared` has no corpus; CI that has the folder must have the corpus in it. */
export const hasCorpus: boolean = isAvailable(
  "the corpus at ../shared/corpus",
  existsSync(join(CORPUS, "serve.mjs")) && existsSync(archivesOf(CORPUS)),
  isCi && existsSync(dirname(CORPUS))
)

/** The sites, served on loopback over https under their real names. */
export interface CorpusServer {
  /** Where every name must be led to: `127.0.0.1` at this port. */
  readonly port: number
  /** The authority that its certificates are signed by, PEM. */
  readonly authority: string
  /** The folder of an extracted site. */
  readonly folderOf: (slug: string) => string
  readonly stop: () => Promise<void>
}

export interface ServeOptions {
  /** The folder of the corpus; the one beside this repository where it is left out. */
  readonly corpus?: string
  /** Sites to serve; all where it is left out. */
  readonly only?: ReadonlyArray<string>
  /** Changes the extracted sites before they are served; `folder` holds `sites` and `provenance.tsv`. */
  readonly prepare?: (folder: string) => Promise<void>
  /** The fault of every answer, as `serve.mjs` names it: `rl-5`. */
  readonly fault?: string
}

/** Extracts archives into a temporary folder and serves them until `stop`. */
export const serveCorpus = async ({
  corpus = CORPUS,
  fault,
  only,
  prepare
}: ServeOptions = {}): Promise<CorpusServer> => {
  const folder = await mkdtemp(join(tmpdir(), "docgauge-sites-"))
  const sites = join(folder, "sites")
  await extractSites(sites, corpus, only)
  await copyFile(join(corpus, "provenance.tsv"), join(folder, "provenance.tsv"))
  await prepare?.(folder)
  const [plain, port] = await Promise.all([freePort(), freePort()])
  const server = spawn(
    process.execPath,
    [
      join(corpus, "serve.mjs"),
      "--root",
      sites,
      "--port",
      String(plain),
      "--tls-port",
      String(port),
      "--tls-dir",
      join(folder, "tls"),
      ...(fault === undefined ? [] : ["--fault", fault])
    ],
    { stdio: ["ignore", "pipe", "ignore"] }
  )
  await whenListening(server)
  await whenAccepting(server, port)
  return {
    port,
    authority: await readFile(join(folder, "tls/ca.pem"), "utf8"),
    folderOf: (slug) => join(sites, slug),
    stop: async () => {
      const ended = once(server, "exit")
      server.kill()
      await ended
      await rm(folder, { recursive: true })
    }
  }
}

/** Extracts archives into a folder, which is made: those of `only`, or all. */
export const extractSites = async (into: string, corpus = CORPUS, only?: ReadonlyArray<string>): Promise<void> => {
  await mkdir(into)
  const folder = archivesOf(corpus)
  const archives = (await readdir(folder)).filter(
    (name) => name.endsWith(".tar.xz") && (only?.includes(name.slice(0, -".tar.xz".length)) ?? true)
  )
  await Promise.all(archives.map((name) => promisify(execFile)("tar", ["-xJf", join(folder, name), "-C", into])))
}

/** It says that it listens a moment before it does so over TLS. */
const whenAccepting = async (server: ChildProcess, port: number): Promise<void> => {
  while (server.exitCode === null) {
    const socket = connect(port, "127.0.0.1")
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false
    )
    socket.destroy()
    if (isOpen) return
    await setTimeout(20)
  }
  throw new Error("the server of the corpus did not start")
}

/** The server says so on standard output once it listens. */
export const whenListening = async (server: ChildProcess): Promise<void> => {
  if (server.stdout === null) throw new Error("the server of the corpus has no output")
  const ended = once(server, "exit").then(() => {
    throw new Error("the server of the corpus did not start")
  })
  await Promise.race([once(server.stdout, "data"), ended])
}

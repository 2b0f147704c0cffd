import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Redacted from "effect/Redacted"
import type { ObjectLocation } from "../../../engine/store/blobs/S3Blobs.ts"
import { type ObjectAnswer, ObjectFiles, refusal } from "./ObjectFiles.ts"
import { signatureProblem } from "./Signature.ts"

/** What goes wrong with requests. */
export type ObjectFault =
  | "none"
  | "answers_500"
  | "answers_slowly"
  | "hangs"
  | "refuses_connections"
  | "refuses_expired_credentials"
  | "answers_404_NoSuchBucket"
  | "breaks_off_uploads"
  | "breaks_off_downloads"
  | "changes_uploads"
  | "changes_downloads"

export interface S3Server {
  readonly location: ObjectLocation
  readonly fault: (fault: ObjectFault) => void
  /** As `fault`, after `requests` more requests. */
  readonly faultAfter: (requests: number, fault: ObjectFault) => void
  /** Requests since the start, as `METHOD path`. */
  readonly requests: ReadonlyArray<string>
  /** The keys of all objects. */
  readonly keys: () => ReadonlyArray<string>
  /** Copies what it holds to a folder, from which another one can start. */
  readonly save: (folder: string) => void
  readonly stop: () => Promise<void>
}

const BUCKET = "archives"

/** Milliseconds before each answer of a slow server. */
const SLOW_MS = 1_000

const KEY = "S3RVER"

/** The secret that signatures are checked with. */
export const S3_SECRET_KEY = randomUUID()

const portOf = (address: unknown): number => {
  if (typeof address === "object" && address !== null && "port" in address && typeof address.port === "number")
    return address.port
  throw new Error("the server has no port")
}

/**
 * An S3 server over HTTP, on loopback, with its objects in a temporary folder, that checks signatures. It begins with what another one saved,
 * if a folder is given.
 */
export const startS3 = async (saved?: string): Promise<S3Server> => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-s3-"))
  if (saved !== undefined) cpSync(saved, folder, { recursive: true })
  const objects = new ObjectFiles(folder, BUCKET)
  let due: { readonly at: number; readonly fault: ObjectFault } | null = null
  let fault: ObjectFault = "none"
  const requests: Array<string> = []

  const setFault = (next: ObjectFault): void => {
    fault = next
    if (next === "refuses_connections") {
      server.close()
      server.closeAllConnections()
    } else if (!server.listening) server.listen(port, "127.0.0.1")
  }

  const server = createServer((request, response) => {
    if (due !== null && requests.length >= due.at) setFault(due.fault)
    requests.push(`${request.method ?? ""} ${request.url ?? ""}`)
    if (fault === "answers_500") return void request.resume().on("end", () => response.writeHead(500).end())
    if (fault === "hangs") return
    if (fault === "breaks_off_uploads") return void request.once("data", () => request.destroy())
    if (fault === "refuses_expired_credentials")
      return void request.resume().on("end", () => write(response, refusal(400, "ExpiredToken")))
    if (fault === "answers_404_NoSuchBucket")
      return void request.resume().on("end", () => write(response, refusal(404, "NoSuchBucket")))
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const body = Buffer.concat(pieces)
      const problem = signatureProblem(request, body, S3_SECRET_KEY)
      if (problem !== null) return write(response, refusal(403, problem))
      const send = () => {
        const stored = fault === "changes_uploads" && body.length > 0 ? changed(body) : body
        const answer = objects.answer(request.method ?? "", request.url ?? "", stored)
        if (fault === "breaks_off_downloads" && answer.body.length > 0) {
          response.writeHead(answer.status, { ...answer.headers, "content-length": answer.body.length })
          response.write(answer.body.subarray(0, 10), () => response.destroy())
        } else write(response, fault === "changes_downloads" ? { ...answer, body: changed(answer.body) } : answer)
      }
      setTimeout(send, fault === "answers_slowly" ? SLOW_MS : 0)
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const port = portOf(server.address())

  return {
    location: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: BUCKET,
      prefix: "docgauge/",
      region: "us-east-1",
      accessKeyId: KEY,
      secretAccessKey: Redacted.make(S3_SECRET_KEY),
      sessionToken: null
    },
    fault: (next) => {
      due = null
      setFault(next)
    },
    faultAfter: (count, next) => {
      due = { at: requests.length + count, fault: next }
    },
    requests,
    keys: () => objects.keys(),
    save: (to) => cpSync(folder, to, { recursive: true }),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

const write = (response: ServerResponse, { body, headers, status }: ObjectAnswer): void =>
  void response.writeHead(status, headers).end(body)

/** The same bytes but for the first. */
const changed = (bytes: Uint8Array): Uint8Array => {
  const other = Buffer.from(bytes)
  if (other.length > 0) other[0] = (other[0] ?? 0) ^ 1
  return other
}

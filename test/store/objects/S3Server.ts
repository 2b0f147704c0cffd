import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createServer, request as forward, type ServerResponse } from "node:http"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Redacted from "effect/Redacted"
import S3rver from "s3rver"
import type { ObjectLocation } from "../../../engine/store/objects/ObjectSettings.ts"
import { signatureProblem } from "./Signature.ts"

/** What the line to the S3 server does to requests. */
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
  /** Through a proxy that can break the line. */
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

/** The end of the files that s3rver keeps the contents of objects in. */
const CONTENT = "._S3rver_object"

/** The key that s3rver knows. */
const KEY = "S3RVER"

/** The secret that signatures are checked with. */
export const S3_SECRET_KEY = randomUUID()

const portOf = (address: unknown): number => {
  if (typeof address === "object" && address !== null && "port" in address && typeof address.port === "number")
    return address.port
  throw new Error("the server has no port")
}

/**
 * A real S3 server over HTTP, on loopback, with its objects in a temporary folder, behind a proxy that checks signatures. It begins with what
 * another one saved, if a folder is given.
 */
export const startS3 = async (saved?: string): Promise<S3Server> => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-s3-"))
  if (saved !== undefined) cpSync(saved, folder, { recursive: true })
  const server = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory: folder,
    configureBuckets: [{ name: BUCKET, configs: [] }]
  })
  const toPort = portOf(await server.run())
  let due: { readonly at: number; readonly fault: ObjectFault } | null = null
  let fault: ObjectFault = "none"
  const requests: Array<string> = []

  const setFault = (next: ObjectFault): void => {
    fault = next
    if (next === "refuses_connections") {
      proxy.close()
      proxy.closeAllConnections()
    } else if (!proxy.listening) proxy.listen(port, "127.0.0.1")
  }

  const proxy = createServer((request, response) => {
    if (due !== null && requests.length >= due.at) setFault(due.fault)
    requests.push(`${request.method ?? ""} ${request.url ?? ""}`)
    if (fault === "answers_500") return void request.resume().on("end", () => response.writeHead(500).end())
    if (fault === "hangs") return
    if (fault === "breaks_off_uploads") return void request.once("data", () => request.destroy())
    if (fault === "refuses_expired_credentials")
      return void request.resume().on("end", () => refuse(response, 400, "ExpiredToken"))
    if (fault === "answers_404_NoSuchBucket")
      return void request.resume().on("end", () => refuse(response, 404, "NoSuchBucket"))
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const body = Buffer.concat(pieces)
      const problem = signatureProblem(request, body, S3_SECRET_KEY)
      if (problem !== null) return refuse(response, 403, problem)
      const send = () =>
        forward(
          { port: toPort, host: "127.0.0.1", method: request.method, path: request.url, headers: request.headers },
          (answer) => {
            response.writeHead(answer.statusCode ?? 502, answer.headers)
            if (fault === "breaks_off_downloads")
              answer.once("data", (piece: Buffer) => response.write(piece.subarray(0, 10), () => response.destroy()))
            else if (fault === "changes_downloads")
              answer.on("data", (piece: Buffer) => response.write(changed(piece))).on("end", () => response.end())
            else answer.pipe(response)
          }
        )
          .on("error", () => response.destroy())
          .end(fault === "changes_uploads" && body.length > 0 ? changed(body) : body)
      setTimeout(send, fault === "answers_slowly" ? SLOW_MS : 0)
    })
  })
  proxy.listen(0, "127.0.0.1")
  await once(proxy, "listening")
  const port = portOf(proxy.address())

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
    keys: () =>
      readdirSync(join(folder, BUCKET), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(CONTENT))
        .map((name) => name.slice(0, -CONTENT.length)),
    save: (to) => cpSync(folder, to, { recursive: true }),
    stop: async () => {
      proxy.closeAllConnections()
      proxy.close()
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

const refuse = (response: ServerResponse, status: number, code: string): void =>
  void response.writeHead(status, { "content-type": "application/xml" }).end(`<Error><Code>${code}</Code></Error>`)

/** The same bytes but for the first. */
const changed = (piece: Buffer): Buffer => {
  const other = Buffer.from(piece)
  other[0] = (other[0] ?? 0) ^ 1
  return other
}

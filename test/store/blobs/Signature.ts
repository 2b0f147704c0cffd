import { createHash, createHmac } from "node:crypto"
import type { IncomingMessage } from "node:http"

/*
 * Checks of AWS Signature Version 4, written from its specification.
 */

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([\da-f]{64})$/u

const hex = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex")
const keyed = (key: string | Uint8Array, text: string): Buffer => createHmac("sha256", key).update(text).digest()

/** The code with which S3 refuses a request; `null` if signature and body are right. */
export const signatureProblem = (
  { headers, method, url }: IncomingMessage,
  body: Uint8Array,
  secret: string
): string | null => {
  const [, , date = "", region = "", names = "", signature] = AUTHORIZATION.exec(headers.authorization ?? "") ?? []
  if (signature === undefined) return "AccessDenied"
  const digest = String(headers["x-amz-content-sha256"])
  const time = String(headers["x-amz-date"])
  const path = (url ?? "").split("?", 1)[0] ?? ""
  const canonical = [
    method,
    path,
    "",
    ...names.split(";").map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    names,
    digest
  ].join("\n")
  const scope = `${date}/${region}/s3/aws4_request`
  const key = ["s3", "aws4_request"].reduce(keyed, keyed(keyed(`AWS4${secret}`, date), region))
  if (keyed(key, ["AWS4-HMAC-SHA256", time, scope, hex(canonical)].join("\n")).toString("hex") !== signature)
    return "SignatureDoesNotMatch"
  return digest === "UNSIGNED-PAYLOAD" || digest === hex(body) ? null : "XAmzContentSHA256Mismatch"
}

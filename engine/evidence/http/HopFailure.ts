import type { FaultKind } from "../Exchange.ts"

/**
 * Why a request failed, thrown where it happens and converted to a `HopFault`. `message` is one plain clause for people. It
 * contains no IP address, because those of private names must not be revealed.
 */
export class HopFailure extends Error {
  readonly kind: FaultKind

  constructor(kind: FaultKind, message: string) {
    super(message)
    this.name = "HopFailure"
    this.kind = kind
  }
}

/** `15 s`, `1.5 s`, `200 ms`: how messages name a time. */
export const seconds = (milliseconds: number): string =>
  milliseconds < 1_000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 100) / 10} s`

/** `2 MB`, `128 KB`: how messages name a size. */
export const size = (bytes: number): string => {
  const [unit, name] = bytes < MB ? ([KB, "KB"] as const) : ([MB, "MB"] as const)
  return `${Math.ceil(bytes / unit)} ${name}`
}

const KB = 1024
const MB = 1024 * KB

/** What an error of the resolver, the socket, TLS or the HTTP client means. Whatever is not known counts as a reset. */
export const failureOf = (error: unknown): HopFailure => {
  if (error instanceof HopFailure) return error
  const code = codeOf(error)
  const [kind, message] = BY_CODE[code] ?? byFamily(code)
  return new HopFailure(kind, message)
}

type Meaning = readonly [kind: FaultKind, message: string]

const NO_SUCH_HOST: Meaning = ["dns", "no such host"]
const REFUSED: Meaning = ["refused", "the connection was refused"]
const UNREACHABLE: Meaning = ["refused", "the host cannot be reached"]
const RESET: Meaning = ["reset", "the connection ended before the answer did"]
const NOT_HTTP: Meaning = ["malformed", "the answer is not HTTP"]
const TOO_LONG_A_HEAD: Meaning = ["malformed", "the headers are longer than 64 KB"]
const UNTRUSTED: Meaning = [
  "tls",
  "the certificate's issuer is not trusted, or an intermediate certificate is not sent"
]
const SELF_SIGNED: Meaning = ["tls", "the certificate is self-signed"]
const UNTRUSTED_ROOT: Meaning = ["tls", "the certificate's chain ends in one that is self-signed and not trusted"]

/** Whether a request, or the tunnel that it went through, failed because this machine does not trust who signed the certificate. */
export const isUntrusted = (message: string): boolean =>
  [UNTRUSTED, SELF_SIGNED, UNTRUSTED_ROOT].some(([, clause]) => message.endsWith(clause))

/** What to do then. Node.js 22.19 and 24 take all three. */
export const TRUST_ISSUER =
  "If a proxy or a CA of your own signs certificates here, set NODE_USE_SYSTEM_CA=1 to trust the system's certificates (or NODE_OPTIONS=--use-system-ca), or NODE_EXTRA_CA_CERTS=ca.pem to trust the CA in that file. Otherwise the server has to send its whole certificate chain."

/** Of a TLS handshake in which no protocol above TLS was agreed on. */
export const NO_COMMON_PROTOCOL = "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL"

/** What Node resets a stream with that has more than 128 headers, and servers one that they want no more of (RFC 9113, section 7). */
const ENHANCE_YOUR_CALM = 11

const BY_CODE: Readonly<Record<string, Meaning>> = {
  ENOTFOUND: NO_SUCH_HOST,
  ENODATA: NO_SUCH_HOST,
  EAI_NONAME: NO_SUCH_HOST,
  EAI_AGAIN: ["dns", "the name could not be looked up for the moment"],
  EAI_FAIL: ["dns", "the name could not be looked up"],
  ECONNREFUSED: REFUSED,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  EHOSTDOWN: UNREACHABLE,
  EACCES: UNREACHABLE,
  EPERM: UNREACHABLE,
  ETIMEDOUT: ["connect_timeout", "the connection timed out"],
  CERT_HAS_EXPIRED: ["tls", "the certificate has expired"],
  CERT_NOT_YET_VALID: ["tls", "the certificate is not valid yet"],
  CERT_REVOKED: ["tls", "the certificate is revoked"],
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED_ROOT,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: ["tls", "the certificate is for another name"],
  ERR_SSL_WRONG_VERSION_NUMBER: ["tls", "the port does not speak TLS"],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ["tls", "the port does not speak TLS"],
  ERR_SSL_UNSUPPORTED_PROTOCOL: ["tls", "the server speaks only outdated versions of TLS"],
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: ["tls", "the server and docgauge have no TLS version in common"],
  [NO_COMMON_PROTOCOL]: ["tls", "the server speaks neither HTTP/1.1 nor HTTP/2"],
  UND_ERR_HEADERS_OVERFLOW: TOO_LONG_A_HEAD,
  UND_ERR_INVALID_ARG: ["bad_address", "the request cannot be written as HTTP"],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ["malformed", "the body is not as long as the headers say"],
  ENHANCE_YOUR_CALM: ["malformed", "there are more than 128 headers, or the server wants no such request"],
  ERR_HTTP2_ERROR: NOT_HTTP,
  HTTPParserError: NOT_HTTP
}

/** The parser of HTTP/1.1 fails so by itself. */
export const headTooLong = (): HopFailure => new HopFailure(...TOO_LONG_A_HEAD)

const byFamily = (code: string): Meaning => {
  if (code.startsWith("HPE_")) return NOT_HTTP
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_")) return ["tls", "the TLS handshake failed"]
  return /^(?:CERT_|CRL_|UNABLE_TO_|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH)/.test(code)
    ? ["tls", "the certificate could not be verified"]
    : RESET
}

/** Of several attempts (`AggregateError`) the first tells; the parser's errors do not always have a code. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return ""
  if ("http2ErrorCode" in error && error.http2ErrorCode === ENHANCE_YOUR_CALM) return "ENHANCE_YOUR_CALM"
  if ("code" in error && typeof error.code === "string") return error.code
  return error instanceof AggregateError ? codeOf(error.errors[0]) : error.name
}

/** The outcome of the work, or a rejection with the signal's reason as soon as it aborts. */
export const unlessAborted = <A>(work: Promise<A>, signal: AbortSignal): Promise<A> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener("abort", abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort))
  })

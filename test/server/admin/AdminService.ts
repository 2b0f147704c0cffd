import { SignJWT } from "jose"
import { startService, type TestService, type TestServiceOptions } from "../TestService.ts"

export const SECRET = "a secret of operators that is long enough for HS256"

export const AUDIENCE = "http://localhost:8080/api/admin"

export interface TokenOptions {
  readonly sub?: string
  readonly claims?: Record<string, unknown>
  readonly audience?: string
  /** From now, in seconds; `null`: never. */
  readonly expires?: number | null
}

const seconds = (): number => Math.floor(Date.now() / 1_000)

/** A token of HS256, with the role of an operator unless said otherwise. */
export const tokenOf = (
  { audience = AUDIENCE, claims = { role: "operator" }, expires = 60, sub = "ada" }: TokenOptions = {},
  secret = SECRET
): Promise<string> => {
  const token = new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(sub)
    .setAudience(audience)
    .setIssuedAt()
  return (expires === null ? token : token.setExpirationTime(seconds() + expires)).sign(
    new TextEncoder().encode(secret)
  )
}

export interface AdminAnswer {
  readonly status: number
  readonly headers: Headers
  /** The JSON of the body; its text where it is none. */
  readonly body: unknown
}

export type Ask = (method: string, path: string, body?: unknown) => Promise<AdminAnswer>

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Asks the admin API of a service with a token. `path` begins behind `/api/admin`. */
export const callerWith =
  (url: string, token: string): Ask =>
  async (method, path, body) => {
    const response = await fetch(`${url}/api/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, headers: response.headers, body: jsonOf(await response.text()) }
  }

export interface AdminTestService extends TestService {
  /** As an operator. */
  readonly admin: Ask
  /** As a viewer. */
  readonly viewer: Ask
}

/** A service with an admin API under `SECRET`. */
export const startAdminService = async ({
  env = {},
  ...options
}: TestServiceOptions = {}): Promise<AdminTestService> => {
  const service = await startService({ ...options, env: { DOCGAUGE_ADMIN_JWT_SECRET: SECRET, ...env } })
  return {
    ...service,
    admin: callerWith(service.url, await tokenOf({ expires: 600 })),
    viewer: callerWith(service.url, await tokenOf({ sub: "vera", claims: { role: "viewer" }, expires: 600 }))
  }
}

const PATIENCE_MS = 100_000

/** Polls until it is so; what never is fails the test. */
export const eventually = async <A>(look: () => Promise<A>, holds: (value: A) => boolean): Promise<A> => {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const value = await look()
    if (holds(value)) return value
    if (Date.now() > end) throw new Error(`not so after a long while: ${JSON.stringify(value)}`)
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
  }
}

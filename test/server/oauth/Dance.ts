import { createHash, randomBytes } from "node:crypto"

/** What the token endpoint gives. */
export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly expires_in: number
}

type Parameters = Readonly<Record<string, string>>

export const REDIRECT = "http://127.0.0.1:43210/callback"

const VERIFIER = randomBytes(32).toString("base64url")

/** The steps of an authorization, one by one, so that each can be done wrong. */
export class Dance {
  readonly verifier = VERIFIER
  readonly challenge = createHash("sha256").update(VERIFIER).digest("base64url")
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  get mcp(): string {
    return `${this.#url}/mcp`
  }

  register(metadata: unknown): Promise<Response> {
    return fetch(`${this.#url}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(metadata)
    })
  }

  async client(redirectUri = REDIRECT, name = "Test"): Promise<string> {
    const registered = await bodyOf<{ readonly client_id: string }>(
      await this.register({ redirect_uris: [redirectUri], client_name: name })
    )
    return registered.client_id
  }

  /** Parameters of a right authorization request. */
  asked(clientId: string): Parameters {
    return {
      client_id: clientId,
      redirect_uri: REDIRECT,
      response_type: "code",
      code_challenge: this.challenge,
      code_challenge_method: "S256",
      resource: this.mcp,
      scope: "service:audit",
      state: "xyz"
    }
  }

  authorize(parameters: Parameters): Promise<Response> {
    return fetch(`${this.#url}/oauth/authorize?${new URLSearchParams(parameters).toString()}`, { redirect: "manual" })
  }

  /** What a right client is sent back with, but for what is given. */
  async sentBack(parameters: Parameters): Promise<URLSearchParams> {
    const answer = await this.authorize(parameters)
    return new URL(answer.headers.get("location") ?? "about:blank").searchParams
  }

  async code(clientId: string): Promise<string> {
    return (await this.sentBack(this.asked(clientId))).get("code") ?? ""
  }

  token(parameters: Parameters): Promise<Response> {
    return fetch(`${this.#url}/oauth/token`, { method: "POST", body: new URLSearchParams(parameters) })
  }

  redeem(clientId: string, code: string, over: Parameters = {}): Promise<Response> {
    return this.token({
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      redirect_uri: REDIRECT,
      code_verifier: this.verifier,
      resource: this.mcp,
      ...over
    })
  }

  refresh(clientId: string, refreshToken: string, over: Parameters = {}): Promise<Response> {
    return this.token({ grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken, ...over })
  }

  revoke(token: string): Promise<Response> {
    return fetch(`${this.#url}/oauth/revoke`, { method: "POST", body: new URLSearchParams({ token }) })
  }

  /** A whole authorization of a new client. */
  async authorized(): Promise<Tokens & { readonly clientId: string }> {
    const clientId = await this.client()
    const tokens = await bodyOf<Tokens>(await this.redeem(clientId, await this.code(clientId)))
    return { ...tokens, clientId }
  }

  /** One message to the MCP server. */
  message(token: string | null, body: string | object = INITIALIZE, headers: Parameters = {}): Promise<Response> {
    return fetch(this.mcp, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...headers
      },
      body: typeof body === "string" ? body : JSON.stringify(body)
    })
  }
}

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
}

/** The JSON of an answer, taken for what the test says that it is. */
export const bodyOf = async <A>(answer: Response): Promise<A> => (await answer.json()) as A

/** The `error` of an answer. */
export const errorIn = async (answer: Response): Promise<string> => {
  const { error = "" } = await bodyOf<{ readonly error?: string }>(answer)
  return error
}

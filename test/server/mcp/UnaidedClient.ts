import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError
} from "@modelcontextprotocol/client"

type Stored<A> = { value: A | undefined }

/** What a client keeps between two starts. */
export interface Keep {
  readonly client: Stored<Parameters<NonNullable<OAuthClientProvider["saveClientInformation"]>>[0]>
  readonly tokens: Stored<Parameters<OAuthClientProvider["saveTokens"]>[0]>
}

export const nothingKept = (): Keep => ({ client: { value: undefined }, tokens: { value: undefined } })

const REDIRECT = "http://127.0.0.1:43210/callback"

/**
 * The official client without a user: what a browser would do it does by itself, going where the
 * authorization server sends it.
 */
export class UnaidedClient {
  /** How often a browser would have opened. */
  authorizations = 0
  /** Requests that the client sent, as `METHOD path status`. */
  readonly requests: Array<string> = []
  readonly client: Client
  readonly #url: string
  readonly #keep: Keep
  #callback = new URLSearchParams()
  #verifier = ""
  #transport: StreamableHTTPClientTransport | null = null

  constructor(url: string, keep: Keep = nothingKept(), options: ConstructorParameters<typeof Client>[1] = {}) {
    this.#url = url
    this.#keep = keep
    this.client = new Client({ name: "unaided", version: "1.0.0" }, options)
  }

  get #provider(): OAuthClientProvider {
    const { client, tokens } = this.#keep
    return {
      redirectUrl: REDIRECT,
      clientMetadata: {
        client_name: "Unaided",
        redirect_uris: [REDIRECT],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"]
      },
      clientInformation: () => client.value,
      saveClientInformation: (information) => {
        client.value = information
      },
      tokens: () => tokens.value,
      saveTokens: (given) => {
        tokens.value = given
      },
      saveCodeVerifier: (verifier) => {
        this.#verifier = verifier
      },
      codeVerifier: () => this.#verifier,
      state: () => "some-state",
      redirectToAuthorization: async (url) => {
        this.authorizations += 1
        const answer = await fetch(url, { redirect: "manual" })
        this.#callback = new URL(answer.headers.get("location") ?? "about:blank").searchParams
      }
    }
  }

  #makeTransport(): StreamableHTTPClientTransport {
    this.#transport = new StreamableHTTPClientTransport(new URL(this.#url), {
      authProvider: this.#provider,
      fetch: async (input, init) => {
        const answer = await fetch(input, init)
        this.requests.push(`${init?.method ?? "GET"} ${new URL(String(input)).pathname} ${answer.status}`)
        return answer
      }
    })
    return this.#transport
  }

  get callback(): URLSearchParams {
    return this.#callback
  }

  get sessionId(): string | undefined {
    return this.#transport?.sessionId
  }

  /** Connects, getting authorization on the way where it has none. */
  async connect(): Promise<void> {
    const first = this.#makeTransport()
    try {
      await this.client.connect(first)
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error
      await first.finishAuth(this.#callback)
      await this.client.connect(this.#makeTransport())
    }
  }

  async endSession(): Promise<void> {
    await this.#transport?.terminateSession()
  }

  close(): Promise<void> {
    return this.client.close()
  }
}

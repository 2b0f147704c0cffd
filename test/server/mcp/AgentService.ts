import { freePort } from "../../harness/port/FreePort.ts"
import { Dance } from "../oauth/Dance.ts"
import { startService, type TestService, type TestServiceOptions } from "../TestService.ts"

/** A whole service that knows its own address, as the authorization server has to. */
export interface AgentService extends TestService {
  /** {mcp_url}. */
  readonly mcp: string
}

export const startAgentService = async ({ env = {}, ...rest }: TestServiceOptions = {}): Promise<AgentService> => {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const service = await startService({
    ...rest,
    env: { PORT: String(port), DOCGAUGE_BASE_URL: base, DOCGAUGE_DATABASE_URL: "memory:", ...env }
  })
  return { ...service, mcp: `${base}/mcp` }
}

/** A service of its own for a test file, and an agent's access token there. */
export const startAuthorizedAgent = async () => {
  const service = await startAgentService()
  const dance = new Dance(service.url)
  return { dance, service, token: (await dance.authorized()).access_token }
}

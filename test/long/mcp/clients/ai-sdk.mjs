// Run in the folder that the packages are installed in, with what to call as JSON. Writes the results as JSON.
import { createMCPClient } from "@ai-sdk/mcp"
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio"
import process from "node:process"

const { local, refusedBaseUrl, remote, tool } = JSON.parse(process.argv[2])

const ask = async (transport, baseUrl) => {
  const client = await createMCPClient({ transport })
  const tools = await client.tools()
  const result = await tools[tool].execute({ base_url: baseUrl }, { toolCallId: "1", messages: [] })
  await client.close()
  return { tools: Object.keys(tools), text: JSON.stringify(result) }
}

const results = {
  http: await ask({ type: "http", url: remote.url, headers: remote.headers }, refusedBaseUrl.remote),
  stdio: await ask(new Experimental_StdioMCPTransport(local), refusedBaseUrl.local)
}
process.stdout.write(JSON.stringify(results))

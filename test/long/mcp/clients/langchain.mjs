// Run in the folder that the packages are installed in, with what to call as JSON. Writes the results as JSON.
import { MultiServerMCPClient } from "@langchain/mcp-adapters"
import process from "node:process"

const { local, refusedBaseUrl, remote, tool } = JSON.parse(process.argv[2])

const ask = async (server, baseUrl) => {
  const client = new MultiServerMCPClient({ mcpServers: { docgauge: server } })
  const tools = await client.getTools()
  const wanted = tools.find(({ name }) => name.endsWith(tool))
  // LangChain throws tool errors, and shows the agent their message.
  const text = await wanted.invoke({ base_url: baseUrl }).then(
    (result) => JSON.stringify(result),
    ({ message }) => message
  )
  await client.close()
  return { tools: tools.map(({ name }) => name), text }
}

const results = {
  http: await ask({ transport: "http", url: remote.url, headers: remote.headers }, refusedBaseUrl.remote),
  stdio: await ask({ transport: "stdio", ...local }, refusedBaseUrl.local)
}
process.stdout.write(JSON.stringify(results))

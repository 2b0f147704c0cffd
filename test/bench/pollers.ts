/**
 * `node test/bench/pollers.ts URL CLIENTS SECONDS`: CLIENTS clients poll a URL, each every two seconds, as the
 * contract advises, and none at the same moment as another. Prints p50, p99 and max of what their polls took, in JSON.
 */
import { Agent, request } from "node:http"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { latenciesOf } from "./measure/Latencies.ts"

const INTERVAL = 2_000

const [url = "", clients = "1", seconds = "1"] = process.argv.slice(2)

const agent = new Agent({ keepAlive: true, maxSockets: Number(clients) })

const poll = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const begun = performance.now()
    request(url, { agent }, (response) => {
      response.resume().on("end", () => {
        if (response.statusCode === 200) resolve(performance.now() - begun)
        else reject(new Error(`a poll was answered with ${response.statusCode}`))
      })
    })
      .on("error", reject)
      .end()
  })

const end = performance.now() + Number(seconds) * 1_000

const client = async (index: number): Promise<ReadonlyArray<number>> => {
  const took: Array<number> = []
  await pause((INTERVAL * index) / Number(clients))
  while (performance.now() < end) {
    const millis = await poll()
    took.push(millis)
    await pause(Math.max(0, INTERVAL - millis))
  }
  return took
}

const all = await Promise.all(Array.from({ length: Number(clients) }, (_, index) => client(index)))
agent.destroy()
console.log(JSON.stringify(latenciesOf(all.flat())))

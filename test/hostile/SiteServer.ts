import process from "node:process"
import { httpServer } from "../evidence/LoopbackServers.ts"
import { send } from "./HostileSite.ts"
import { HARMLESS, nameOf } from "./SiteNames.ts"
import { hostileSites } from "./sites/index.ts"

/*
 * Serves the hostile corpus, each site by its host name, in a process of its own: making the bodies takes time that must not
 * be counted as the service's. Tells its port to its parent.
 */

const server = await httpServer((request, response) => {
  const name = nameOf(request.headers.host ?? "")
  const site = hostileSites[name]
  if (site !== undefined) return site.listener(request, response)
  if (name === HARMLESS)
    return send(
      response,
      "<!doctype html><html lang=en><title>Harmless</title><h1>Harmless</h1><p>A plain page of documentation.</p>"
    )
  send(response, `no site is called ${name}`, "text/plain", 404)
})

// A client that goes in the middle of an answer is no reason to end.
process.on("uncaughtException", (error) => console.error(error))
process.send?.(server.port)
process.on("disconnect", () => process.exit(0))

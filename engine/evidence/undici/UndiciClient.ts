/*
 * undici's client and its `request`. The package's index also loads fetch, mocks, caches and WebSockets, which we don't use and
 * which take 30 ms of each start.
 */
import type { Client as UndiciClient, Dispatcher } from "undici"
import sendRequest from "undici/lib/api/api-request.js"
import Client from "undici/lib/dispatcher/client.js"

export { Client }

/** As `client.request`. */
export const requestWith = (client: UndiciClient, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> =>
  sendRequest.call(client, options)

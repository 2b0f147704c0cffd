/*
 * undici's client and its `request`. The package's index also loads fetch, mocks, caches and WebSockets, which we don't use and
 * which take 30 ms of each start.
 */
import type { Client as UndiciClient, Dispatcher } from "undici"
import sendRequest from "undici/lib/api/api-request.js"
import Client from "undici/lib/dispatcher/client.js"

export { Client }

/** As `client.request`. `onBody` is told the length of each piece of the body as soon as it is parsed, before more is read. */
export const requestWith = (
  client: UndiciClient,
  options: Dispatcher.RequestOptions,
  onBody: (length: number) => void
): Promise<Dispatcher.ResponseData> => {
  const dispatch: Dispatcher["dispatch"] = (dispatched, handler) => {
    const receive = handler.onResponseData?.bind(handler)
    handler.onResponseData = (controller, piece) => {
      onBody(piece.length)
      receive?.(controller, piece)
    }
    return client.dispatch(dispatched, handler)
  }
  return sendRequest.call({ dispatch }, options)
}

declare module "undici/lib/dispatcher/client.js" {
  import { Client } from "undici"
  export default Client
}

declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici"
  export default function request(
    this: Pick<Dispatcher, "dispatch">,
    options: Dispatcher.RequestOptions
  ): Promise<Dispatcher.ResponseData>
}

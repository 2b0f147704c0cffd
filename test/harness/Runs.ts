import { expect } from "vitest"

/** A run as the service answers it. */
export interface RunBody {
  readonly status: string
  readonly error?: unknown
}

/** Submits an audit to the service at `service`; the id of its run. */
export const acceptedRun = async (service: string, url: string): Promise<string> => {
  const response = await fetch(`${service}/audit?async=true`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ base_url: url })
  })
  expect(response.status).toBe(202)
  const { run_id: id }: { readonly run_id: string } = JSON.parse(await response.text())
  return id
}

export const runBody = async (service: string, id: string): Promise<RunBody> =>
  JSON.parse(await (await fetch(`${service}/api/public/audit/${id}`)).text())

/**
 * Domains whose subdomains belong to different customers, and which the public suffix list (its private section, as `tldts`
 * has it) lacks. Source: each vendor's own documentation says that a customer's site is `CUSTOMER.` below it. A domain that
 * the list gets is taken out here; `test/evidence/SharedHosts.test.ts` tells which.
 */
export const SHARED_HOSTS: ReadonlySet<string> = new Set([
  "apidog.io", // docs.apidog.com/custom-domain-631339m0
  "atlassian.net", // support.atlassian.com/organization-administration/docs/can-i-change-the-url-used-to-access-a-product
  "docs.buildwithfern.com", // github.com/fern-api/docs-starter-openapi
  "document360.io", // docs.document360.com/docs/en/custom-domain-mapping
  "freshdesk.com", // support.freshdesk.com/support/solutions/articles/50000004704
  "hashnode.dev", // hashnode.com/forums/thread/how-does-hashnode-achieve-the-subdomain-system
  "mintlify.app", // mintlify.com/docs/deploy/reverse-proxy
  "mintlify.dev", // the same page
  "readme.io", // docs.readme.com
  "stoplight.io", // docs.stoplight.io
  "zendesk.com", // support.zendesk.com/hc/en-us/articles/4408838571930
  "zohodesk.com" // help.zoho.com/portal/en/kb/desk/for-administrators/organization-settings/articles/support-customers-from-your-own-domain
])

/** The customer's domain that a host is, or is below (`acme.readme.io` of `v2.acme.readme.io`); `null` for other hosts. */
export const tenantOf = (host: string): string | null => {
  let candidate = host
  for (let dot = candidate.indexOf("."); dot >= 0; dot = candidate.indexOf(".")) {
    const parent = candidate.slice(dot + 1)
    if (SHARED_HOSTS.has(parent)) return candidate
    candidate = parent
  }
  return null
}

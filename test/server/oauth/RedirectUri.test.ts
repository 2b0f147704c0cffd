import { describe, expect, it } from "vitest"
import { matchesRedirect, redirectKind } from "../../../server/oauth/OAuthClient.ts"

describe("the kind of a redirect URI", () => {
  it.each([
    ["http://127.0.0.1:43210/callback", "loopback"],
    ["http://[::1]:43210/callback", "loopback"],
    ["http://localhost/callback", "loopback"],
    ["https://claude.ai/api/mcp/auth_callback", "elsewhere"],
    ["https://app.example.com:8443/cb?kind=mcp", "elsewhere"],
    ["cursor://anysphere.cursor-retrieval/oauth/callback", "elsewhere"],
    ["com.example.app:/oauth", "elsewhere"],
    ["org.example.some-app.debug:/oauth", "elsewhere"]
  ])("%s: %s", (address, kind) => expect(redirectKind(address)).toBe(kind))

  it.each([
    "http://example.com/cb",
    "http://127.0.0.1.example.com/cb",
    "http://localhost.example.com/cb",
    "http://10.0.0.1/cb",
    "https://user@example.com/cb",
    "https://user:secret@example.com/cb",
    "https://:secret@example.com/cb",
    "https://example.com/cb#fragment",
    "https://example.com/cb#",
    "javascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://example.com/x",
    "about:blank",
    "app:/oauth",
    "a.b:/oauth",
    "com.example:/oauth",
    "com..app:/oauth",
    "ms-settings:x",
    "search-ms:query=x",
    "view-source:https://example.com",
    "//example.com/cb",
    "/cb",
    "",
    "https://",
    "https://example.com/\\evil",
    "https://exa mple.com/",
    `https://example.com/${"x".repeat(600)}`
  ])("never %s", (address) => expect(redirectKind(address)).toBeNull())
})

describe("the comparison with registered redirect URIs", () => {
  const registered = [
    "http://127.0.0.1:1234/callback",
    "https://app.example.com/cb",
    "http://[::1]/cb",
    "http://localhost:7/cb"
  ]

  it.each([
    "http://127.0.0.1:1234/callback",
    "http://127.0.0.1:65000/callback",
    "http://127.0.0.1/callback",
    "https://app.example.com/cb",
    "http://[::1]:5000/cb",
    "http://localhost:9/cb"
  ])("takes %s", (asked) => expect(matchesRedirect(asked, registered)).toBe(true))

  it.each([
    "https://app.example.com/cb/",
    "https://app.example.com/cb?x=1",
    "https://app.example.com:443/cb",
    "https://APP.example.com/cb",
    "https://app.example.com/cb/../cb",
    "https://app.example.com.evil.example/cb",
    "https://evil.example/?https://app.example.com/cb",
    "http://app.example.com/cb",
    "http://127.0.0.1:1234/callback/other",
    "http://127.0.0.1:1234/callback?x=1",
    "http://127.0.0.1:1234/callback#x",
    "http://127.0.0.1:1234@evil.example/callback",
    "http://127.0.0.2:1234/callback",
    "http://localhost:1234/callback",
    "https://127.0.0.1:1234/callback",
    "http://127.0.0.1:99999/callback"
  ])("takes no %s", (asked) => expect(matchesRedirect(asked, registered)).toBe(false))
})

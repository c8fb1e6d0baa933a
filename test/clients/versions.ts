/** The clients of `npm run test:doors`, each as it was tried. */
export const CONFORMANCE = { "@modelcontextprotocol/conformance": "0.2.0-alpha.12" };
/** Its line for the revisions up to 2025-11-25, of the tool server. */
export const CONFORMANCE_OF_SERVERS = { "@modelcontextprotocol/conformance": "0.1.16" };
export const INSPECTOR = { "@modelcontextprotocol/inspector": "2.12.0" };
export const MCP_REMOTE = { "mcp-remote": "0.15.1" };
export const MCP = "mcp==2.3.0";
export const FASTMCP = "fastmcp==4.1.2";
export const AUTHLIB = ["Authlib==1.9.9", "httpx==0.28.1"] as const;

import type { RequestHandler } from "express";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { toolServerUrl } from "../../operations/access/connectors.ts";

/**
 * The metadata of the tool server for an application that was refused (RFC 9728): it names the authorization server.
 */
export function resourceDocument(publicUrl: string): RequestHandler {
  const document = {
    resource: toolServerUrl(publicUrl),
    authorization_servers: [publicUrl],
    scopes_supported: ALL_SCOPES,
    bearer_methods_supported: ["header"],
  };
  return (_req, res) => {
    res.set({ "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin" }).json(document);
  };
}

import { verbs } from "../../operations/verbs.ts";
import type { Route } from "../routes.ts";

/** What a signed-in person alone may do: a key must not outlive itself, so none of it is in `/api/v1`. */
export const consoleRoutes = [
  ["get", "/session", verbs["session.get"]],
  ["patch", "/session", verbs["session.rename"]],
  ["delete", "/session", verbs["session.end"]],
  ["post", "/session/confirm", verbs["session.confirm"]],
  ["get", "/sessions", verbs["session.list"]],
  ["post", "/sessions/:sessionId/revoke", verbs["session.revoke"]],
  ["post", "/password", verbs["session.changePassword"]],
  ["get", "/second-factor", verbs["secondFactor.get"]],
  ["post", "/second-factor", verbs["secondFactor.manage"]],
  ["get", "/api-keys", verbs["keys.list"]],
  ["post", "/api-keys", verbs["keys.create"], 201],
  ["post", "/api-keys/:keyId/revoke", verbs["keys.revoke"]],
  ["get", "/connections", verbs["connections.list"]],
  ["post", "/connections/:connectionId/revoke", verbs["connections.revoke"]],
  ["post", "/connections/:connectionId/policy", verbs["connections.changePolicy"]],
  ["get", "/system", verbs["system.get"]],
] as const satisfies readonly Route[];

/** The paths that are about the person, or about the whole installation, and need no workspace. */
export const PERSONAL = /^\/(?:session|sessions|password|second-factor|system)(?:\/|$)/;

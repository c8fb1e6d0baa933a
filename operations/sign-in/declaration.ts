import type { Declaration } from "../declaration.ts";
import * as secondFactor from "./second-factor-verbs.ts";
import * as session from "./session-verbs.ts";

export const sessionDeclaration = {
  verbs: {
    "session.get": session.get,
    "session.rename": session.rename,
    "session.end": session.end,
    "session.confirm": session.confirm,
    "session.confirmAddress": session.confirmAddress,
    "session.list": session.list,
    "session.revoke": session.revoke,
    "session.changePassword": session.password,
  },
  consoleRoutes: [
    ["get", "/session", session.get],
    ["patch", "/session", session.rename],
    ["delete", "/session", session.end],
    ["post", "/session/confirm", session.confirm],
    ["post", "/session/confirm-address", session.confirmAddress],
    ["get", "/sessions", session.list],
    ["post", "/sessions/:sessionId/revoke", session.revoke],
    ["post", "/password", session.password],
  ],
} as const satisfies Declaration;

export const secondFactorDeclaration = {
  verbs: {
    "secondFactor.get": secondFactor.get,
    "secondFactor.manage": secondFactor.manage,
  },
  consoleRoutes: [
    ["get", "/second-factor", secondFactor.get],
    ["post", "/second-factor", secondFactor.manage],
  ],
} as const satisfies Declaration;

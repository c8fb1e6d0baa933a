import type { Endpoint } from "./call.ts";

const PERSONAL = /^\w+ \/(?:session|sessions|password|second-factor|system)(?:\/|$)/;

/** Whether an endpoint is about the person who is signed in, whatever the workspace. */
export function isPersonal(endpoint: Endpoint): boolean {
  return PERSONAL.test(endpoint);
}

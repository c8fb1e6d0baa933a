import type { Role } from "../../../../domain/access/roles.ts";

/** What somebody of each role may do, in one sentence. */
export const ROLE_MAY: Record<Role, string> = {
  OWNER: "May do everything, pay and make other owners included.",
  ADMIN: "May do everything but pay, and neither makes nor removes owners.",
  MEMBER: "Makes, launches and stops campaigns and answers replies; connects no mailboxes, and sees neither members nor bills.",
  VIEWER: "Reads campaigns, leads and replies, and changes nothing.",
};

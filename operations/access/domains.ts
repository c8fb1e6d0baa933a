import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { TRACKING_CHECK, type WorkspaceDomainIds } from "../../domain/mailboxes/dns-check.ts";
import { TRACKING_STATES } from "../../domain/mailboxes/tracking-domain.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { TrackingDomain } from "../../models/mailboxes/mailbox.ts";
import { workspaceDomainRun } from "../../temporal/runs.ts";
import { choice } from "../choice.ts";
import { nullable, optionalTime } from "../fields.ts";
import { hostOf, ownDomainOf } from "../mailboxes/tracking-domain.ts";
import { operation } from "../operation.ts";

type DomainField = WorkspaceDomainIds["field"];

const WorkspaceDomain = z.object({
  domain: nullable(z.string()).describe("The domain; null when there is none"),
  status: z.enum(TRACKING_STATES).describe("NONE, PENDING: not checked yet, VERIFIED or FAILED"),
  expectedCname: nullable(z.string()).describe("Where its CNAME record must point"),
  checkedAt: optionalTime.describe("When it was last checked"),
  error: nullable(z.string()).describe("The problem that the last check found"),
});
const NO_DOMAIN = { domain: null, status: "NONE" as const, expectedCname: null, checkedAt: null, error: null };

const nothing = z.strictObject({});

/** The operations of one domain of the workspace. Both kinds of domain are set, checked and removed in the same way. */
function domainChoice(field: DomainField, what: string) {
  // The tracking domain is part of links in emails; the portal domain shows reports to others
  const effects = field === "trackingDomain" ? { CHANGES_SENDING: true as const } : { DISCLOSES: true as const };
  const get = operation({
    summary: `Read the ${what} domain of the workspace and its state`,
    scope: "workspace:read",
    input: nothing,
    output: WorkspaceDomain,
    run: ({ workspaceId }) => viewOf(workspaceId, field),
  });
  const set = operation({
    summary: `Set the ${what} domain: its CNAME record must point to expectedCname. Setting it again changes nothing`,
    scope: "workspace:write",
    errors: ["HOST_NOT_ALLOWED"],
    effects,
    input: z.strictObject({ domain: z.string().min(1).max(253).describe("Your domain") }),
    output: WorkspaceDomain,
    async run({ workspaceId, services: { settings } }, { domain: asked }) {
      const domain = ownDomainOf(settings, asked);
      const expectedCname = hostOf(field === "trackingDomain" ? settings.trackUrl : settings.publicUrl);
      const fresh: TrackingDomain = {
        domain,
        status: "PENDING",
        expectedCname,
        checkedAt: null,
        error: null,
        failedChecks: 0,
      };
      if ((await load(workspaceId, field))?.domain !== domain)
        await Workspace.updateOne({ _id: workspaceId }, { $set: { [field]: fresh } });
      return viewOf(workspaceId, field);
    },
  });
  const verify = operation({
    summary: `Check the ${what} domain now: VERIFIED, or FAILED with the reason`,
    scope: "workspace:write",
    errors: ["INVALID_STATE_TRANSITION"],
    input: nothing,
    output: WorkspaceDomain,
    async run({ workspaceId, services }) {
      if ((await load(workspaceId, field)) === null) {
        throw new AppError("INVALID_STATE_TRANSITION", `This workspace has no ${what} domain to verify`, {
          from: "NONE",
          action: "verify",
        });
      }
      await services.engine.execute<void>(workspaceDomainRun({ v: 1, workspaceId, field }), TRACKING_CHECK.deadlineMs);
      return viewOf(workspaceId, field);
    },
  });
  const remove = operation({
    summary: `Remove the ${what} domain`,
    scope: "workspace:write",
    effects: field === "trackingDomain" ? effects : {},
    input: nothing,
    output: WorkspaceDomain,
    async run({ workspaceId }) {
      await Workspace.updateOne({ _id: workspaceId }, { $set: { [field]: null } });
      return viewOf(workspaceId, field);
    },
  });
  return choice(
    "workspace:read",
    `Read, set, verify or remove the ${what} domain of the workspace`,
    { get, set, verify, remove },
    "get",
  );
}

export const trackingDomain = domainChoice("trackingDomain", "tracking");
export const portalDomain = domainChoice("portalDomain", "portal");

async function load(workspaceId: string, field: DomainField): Promise<TrackingDomain | null> {
  const workspace = await Workspace.findOne({ _id: workspaceId }, { [field]: 1 }).lean<Workspace>();
  return workspace?.[field] ?? null;
}

async function viewOf(workspaceId: string, field: DomainField): Promise<z.input<typeof WorkspaceDomain>> {
  return (await load(workspaceId, field)) ?? NO_DOMAIN;
}

import type { Request, RequestHandler, Response } from "express";
import { errors, type Provider } from "oidc-provider";
import { AppError } from "../../domain/errors.ts";
import { isScope, type Scope } from "../../domain/scopes.ts";
import { toolServerUrl } from "../../operations/access/connectors.ts";
import { type Choices, findChoices, giveConsent } from "../../operations/access/consent.ts";
import type { Services } from "../../operations/context.ts";
import { collect } from "../body.ts";
import { at } from "../pages/door.ts";
import { findSessionAt } from "../pages/visitor.ts";
import { sealPage, sendPage } from "../public/page.ts";
import type { OAuthKeys } from "./keys.ts";
import {
  consentPage,
  fieldOf,
  formToken,
  isFormToken,
  nothingToGivePage,
  policySource,
  type ShownClient,
} from "./pages.ts";

export interface ConsentOptions {
  services: Services;
  provider: Provider;
  keys: OAuthKeys;
}

const MOST_BYTES = 16_384;

/** `/oauth/consent/:uid`: the consent page and its form. */
export function consentOf(options: ConsentOptions): { get: RequestHandler[]; post: RequestHandler[] } {
  const page = (handler: (request: Consent, req: Request, res: Response) => Promise<string | null>): RequestHandler => {
    return async (req, res) => {
      sealPage(res, { hasForm: true });
      await sendPage(res, "Not connected", async () => {
        const consent = await requestOf(options, req, res);
        if (consent === null) {
          const here = encodeURIComponent(`/oauth/consent/${req.params["uid"]}`);
          res.redirect(
            303,
            at({ url: options.services.settings.publicUrl, portalId: null }, `/login?returnTo=${here}`),
          );
          return null;
        }
        sealPage(res, { hasForm: true, returns: policySource(consent.client.redirectUri) });
        return handler(consent, req, res);
      });
    };
  };
  return {
    get: [page(async (consent, req) => show(consent, req.query["workspace"]))],
    post: [page((consent, req, res) => take(options, consent, req, res))],
  };
}

/** An application's authorization request, shown to the person in whose browser it arrived. */
interface Consent {
  uid: string;
  clientId: string;
  client: ShownClient;
  person: { sessionId: string; userId: string };
  requested: readonly Scope[];
  can: Choices;
  token: string;
}

/** Returns null when no one is signed in. @throws AppError VALIDATION_FAILED when this browser has no such request */
async function requestOf(
  { services, provider, keys }: ConsentOptions,
  req: Request,
  res: Response,
): Promise<Consent | null> {
  const { uid, params } = await detailsOf(provider, req, res);
  const { client_id, redirect_uri, scope } = params;
  const client = await provider.Client.find(String(client_id));
  if (uid !== req.params["uid"] || client === undefined) throw ended();
  const person = await findSessionAt(services.settings.publicUrl, req, res);
  if (person === null) return null;
  const requested = String(scope).split(" ").filter(isScope);
  const asked = { userId: person.userId, clientId: client.clientId, scopes: requested };
  const shown: ShownClient = {
    name: client.clientName ?? "an application without a name",
    host: client.clientId.startsWith("https:") ? new URL(client.clientId).host : null,
    redirectUri: String(redirect_uri),
    redirectUris: client.redirectUris ?? [],
  };
  return {
    uid,
    clientId: client.clientId,
    client: shown,
    person,
    requested,
    can: await findChoices(asked, new Date()),
    token: formToken(keys.forms, uid, person.sessionId),
  };
}

async function detailsOf(provider: Provider, req: Request, res: Response) {
  try {
    return await provider.interactionDetails(req, res);
  } catch (err) {
    if (err instanceof errors.SessionNotFound) throw ended();
    throw err;
  }
}

function ended(): AppError {
  return new AppError(
    "VALIDATION_FAILED",
    "This request has ended, or began in another browser: connect again from the application",
    {
      issues: [],
    },
  );
}

function show({ client, can, requested, token }: Consent, workspaceId: unknown): string {
  const choice = can.choices.find((one) => one.workspaceId === workspaceId) ?? can.choices[0];
  if (choice === undefined) return nothingToGivePage(client, can, token);
  return consentPage({ client, can, choice, requested, token });
}

async function take(
  { services, provider, keys }: ConsentOptions,
  consent: Consent,
  req: Request,
  res: Response,
): Promise<string | null> {
  const form = new URLSearchParams((await collect(req, MOST_BYTES)).toString("utf8"));
  const { uid, person, requested, clientId, client } = consent;
  const workspaceId = form.get("workspace") ?? "";
  // If another person has signed in meanwhile, they must see the page before they decide
  if (!isFormToken(keys.forms, uid, person.sessionId, form.get("token") ?? "")) return show(consent, workspaceId);
  const isOpen = consent.can.choices.some((choice) => choice.workspaceId === workspaceId);
  const consented = {
    userId: person.userId,
    workspaceId,
    clientId,
    clientName: client.name,
    ways: {
      SENDS: form.get("SENDS"),
      CHANGES_SENDING: form.get("CHANGES_SENDING"),
      DISCLOSES: form.get("DISCLOSES"),
      DESTROYS: form.get("DESTROYS"),
    },
    scopes: requested.filter((scope) => form.has(fieldOf(scope))),
    ip: req.ip ?? null,
    traceId: String(res.locals["traceId"]),
  };
  const grantGiven = isOpen && form.get("decision") === "allow" ? await giveConsent(consented, new Date()) : null;
  if (grantGiven === null) {
    const denied = { error: "access_denied", error_description: "The person did not allow it" };
    await provider.interactionFinished(req, res, denied, { mergeWithLastSubmission: false });
    return null;
  }
  const resource = toolServerUrl(services.settings.publicUrl);
  const grant = new provider.Grant({ accountId: person.userId, clientId });
  grant.jti = grantGiven.id;
  grant.addResourceScope(resource, grantGiven.scopes.join(" "));
  const refused = requested.filter((scope) => !grantGiven.scopes.includes(scope));
  if (refused.length > 0) grant.rejectResourceScope(resource, refused.join(" "));
  await grant.save();
  const allowed = { login: { accountId: person.userId, remember: false }, consent: { grantId: grantGiven.id } };
  await provider.interactionFinished(req, res, allowed, { mergeWithLastSubmission: false });
  return null;
}

import { createHmac, timingSafeEqual } from "node:crypto";
import { ALL_SCOPES, SCOPES, type Scope } from "../../domain/scopes.ts";
import {
  type Choices,
  type ConsentChoice,
  type EffectOffered,
  OFFERED,
  type WayOffered,
} from "../../operations/access/consent.ts";
import { escapeText, pageOf } from "../public/page.ts";
import { isLoopback } from "./regular.ts";

/** The facts about an application that the consent page shows. */
export interface ShownClient {
  /** The name that the application claims. */
  name: string;
  /** The verified host of the application's metadata document; null for an application that registered itself. */
  host: string | null;
  redirectUri: string;
  /** Every address to which it may redirect the browser. */
  redirectUris: readonly string[];
}

export interface ConsentPage {
  client: ShownClient;
  can: Choices;
  /** The choice whose scopes the page shows. */
  choice: ConsentChoice;
  requested: readonly Scope[];
  token: string;
}

/**
 * The page on which a person allows or denies access to an application. It works without a script and posts to its own
 * address.
 */
export function consentPage({ client, can, choice, requested, token }: ConsentPage): string {
  const workspaces = `${lockedOf(can)}${can.choices.length > 1 ? workspaceForm(can.choices, choice) : ""}`;
  const form = `
<form method="post">
<input type="hidden" name="token" value="${escapeText(token)}"><input type="hidden" name="workspace" value="${escapeText(choice.workspaceId)}">
<h2>In “${escapeText(choice.workspaceName)}”, it may:</h2>
${areasOf(requested, choice)}
${policyFields()}
<p><button type="submit" name="decision" value="allow">Allow</button> <button type="submit" name="decision" value="deny" class="second">Deny</button></p>
</form>`;
  return pageOf(
    "Allow this application?",
    `You are signed in as ${can.account}.`,
    `${about(client)}${workspaces}${form}`,
  );
}

/**
 * The page for a person who may not allow these scopes in any workspace. They can still deny, so that the application
 * gets a response.
 */
export function nothingToGivePage(client: ShownClient, can: Choices, token: string): string {
  const deny = `
<form method="post"><input type="hidden" name="token" value="${escapeText(token)}"><button type="submit" name="decision" value="deny">Back to the application</button></form>`;
  const text = `You are signed in as ${can.account}. This account may not allow anything that the application asks for: ask an admin of your workspace.`;
  return pageOf("Nothing to allow", text, `${about(client)}${lockedOf(can)}${deny}`);
}

const REFUSED: Readonly<Record<string, string>> = {
  invalid_client: "The application is not known here. Connect again from the application, so that it registers again",
  invalid_redirect_uri: "The application asks for a redirect to an address that it did not register",
  invalid_target: "The application asks for a resource that does not exist here",
  server_error: "Something went wrong on our side. Please try again",
};

/** The page that shows why a request was refused. `text` comes from the library and names only parameters. */
export function refusalPage(error: string, text: string): string {
  const more = text === "" || error === "server_error" ? "" : `<p class="aside">${escapeText(`${error}: ${text}`)}</p>`;
  return pageOf("Not connected", `${REFUSED[error] ?? "The application sent a request that cannot be handled"}.`, more);
}

function about({ name, host, redirectUri, redirectUris }: ShownClient): string {
  const back = URL.parse(redirectUri)?.host ?? redirectUri;
  const claim = `<p>It calls itself <strong>${escapeText(name)}</strong>. The application chose this name: no one has checked it.</p>`;
  const from = host === null ? "" : `<p>It describes itself at <strong>${escapeText(host)}</strong>.</p>`;
  const to = `<p>If you allow it, you are sent back to <strong>${escapeText(back)}</strong>.</p>`;
  const loopback = redirectUris.every(isLoopback)
    ? `<p class="error" role="note">That is a program on this computer, and any other program here could pretend to be it. Allow it only if you have just started it yourself.</p>`
    : "";
  return `\n${claim}${from}${to}${loopback}`;
}

function lockedOf({ locked }: Choices): string {
  const lines = locked.map(
    (name) =>
      `<p class="aside">“${escapeText(name)}” requires a second factor: set one up before you choose this workspace.</p>`,
  );
  return lines.join("");
}

/**
 * The form that selects another workspace, where the person may have another role and other scopes. Showing them takes
 * a request, because the page has no script.
 */
function workspaceForm(choices: readonly ConsentChoice[], chosen: ConsentChoice): string {
  const options = choices.map(({ workspaceId, workspaceName }) => {
    const selected = workspaceId === chosen.workspaceId ? " selected" : "";
    return `<option value="${escapeText(workspaceId)}"${selected}>${escapeText(workspaceName)}</option>`;
  });
  return `
<form method="get"><p class="field"><label for="workspace">Workspace</label><select id="workspace" name="workspace">${options.join("")}</select></p>
<p><button type="submit" class="second">Show this workspace</button></p></form>`;
}

function areasOf(requested: readonly Scope[], choice: ConsentChoice): string {
  const areas = Map.groupBy(
    ALL_SCOPES.filter((scope) => requested.includes(scope)),
    (scope) => scope.split(":")[0] ?? scope,
  );
  return [...areas]
    .map(
      ([area, scopes]) =>
        `<fieldset><legend>${titleOf(area)}</legend>${scopes.map((scope) => boxOf(scope, choice)).join("")}</fieldset>`,
    )
    .join("\n");
}

function boxOf(scope: Scope, { givable, ticked, role }: ConsentChoice): string {
  const state = givable.has(scope) ? (ticked.has(scope) ? " checked" : "") : " disabled";
  const why = givable.has(scope) ? "" : ` <small>not as ${role.toLowerCase()}</small>`;
  const id = scope.replace(":", "-");
  return `<p><input type="checkbox" id="${id}" name="${fieldOf(scope)}"${state}><label for="${id}">${escapeText(SCOPES[scope])}</label>${why}</p>`;
}

/** The name of a scope's box in the form. */
export function fieldOf(scope: Scope): string {
  return `scope.${scope}`;
}

const EFFECT_SAID: Record<EffectOffered, string> = {
  SENDS: "Send emails",
  CHANGES_SENDING: "Change what a launched campaign sends",
  DISCLOSES: "Send data to a place outside Outreach",
  DESTROYS: "Delete data that cannot be restored",
};
const WAY_SAID: Record<WayOffered, string> = {
  PLAN: "only according to a plan that it shows first",
  APPROVAL: "only after a person approves it",
  DIRECT: "immediately, by itself",
  NONE: "never",
};

function policyFields(): string {
  const fields = OFFERED.effects.map((effect) => {
    const options = OFFERED.ways.map(
      (way) => `<option value="${way}"${OFFERED.first[effect] === way ? " selected" : ""}>${WAY_SAID[way]}</option>`,
    );
    return `<p><label for="${effect}">${EFFECT_SAID[effect]}</label> <select id="${effect}" name="${effect}">${options.join("")}</select></p>`;
  });
  return `<fieldset><legend>What it may do by itself</legend>${fields.join("")}</fieldset>`;
}

function titleOf(area: string): string {
  const words = area.replace("_", " ");
  return area === "crm" ? "CRM" : words.charAt(0).toUpperCase() + words.slice(1);
}

/** The Content-Security-Policy source of a redirect URI. An IPv6 address cannot be a source, so its scheme is used. */
export function policySource(redirectUri: string): string {
  const url = URL.parse(redirectUri);
  if (url === null) return "";
  return url.hostname.startsWith("[") ? url.protocol : url.origin;
}

/** A token that proves that this person saw this request. Another account in the same browser gets another token. */
export function formToken(key: Buffer, uid: string, sessionId: string): string {
  return createHmac("sha256", key).update(`${uid}|${sessionId}`).digest("base64url");
}

export function isFormToken(key: Buffer, uid: string, sessionId: string, given: string): boolean {
  const [expected, said] = [Buffer.from(formToken(key, uid, sessionId)), Buffer.from(given)];
  return expected.length === said.length && timingSafeEqual(expected, said);
}

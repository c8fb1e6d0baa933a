import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readBusyTimes } from "../../connectors/busy-times.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { redeem, refresh } from "../../connectors/oauth.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import type { BusyTime } from "../../domain/agent/free-slots.ts";
import { type FakeCalendars, startCalendars } from "../fakes/calendars.ts";
import { type FakeOAuth, startOAuth } from "../fakes/oauth.ts";

/** The clients that Google and Microsoft publish. */
export const CALENDAR_CLIENTS = { "@googleapis/calendar": "20.0.1", "@microsoft/microsoft-graph-client": "3.0.7" };

const EMAIL = "ann@provider.test";
const REDIRECT = "http://localhost:3000/back";
const VERIFIER = "v".repeat(43);
const [FROM, TO] = ["2026-11-23T00:00:00.000Z", "2026-11-25T00:00:00.000Z"];
const FREE = ["free", "workingElsewhere"];

const time = z.object({ dateTime: z.string(), timeZone: z.literal("UTC") });
const Theirs = z.object({
  google: z.array(z.object({ start: z.string(), end: z.string() })),
  graph: z.array(z.object({ status: z.string(), start: time, end: time })),
  refusals: z.object({ google: z.literal(403), graph: z.literal(403) }),
});

/**
 * The vendors' own clients and ours read the same stand-in: their requests are equal, and so are the busy times that
 * they find.
 */
export async function tryCalendars(tools: string): Promise<string> {
  const oauth = await startOAuth();
  const calendars = await startCalendars((token) => oauth.knows(EMAIL, token));
  calendars.busy.push(
    { start: "2026-11-23T09:00:00Z", end: "2026-11-23T10:00:00Z" },
    { start: "2026-11-23T13:30:00Z", end: "2026-11-23T14:00:00Z", status: "tentative" },
    { start: "2026-11-24T07:00:00Z", end: "2026-11-24T23:00:00Z", status: "oof" },
  );
  try {
    const ours = await readByOurs(oauth, calendars);
    const [asked, grants] = [calendars.asked.splice(0), oauth.asked.splice(0)];
    const theirs = Theirs.parse(await readByTheirs(tools, oauth, calendars));
    // The last two are refused requests
    assert.deepEqual(calendars.asked.slice(0, -2), asked, "the stand-in is asked otherwise");
    assert.deepEqual(oauth.asked, grants);
    assert.deepEqual(theirs.google.map(timeOf), ours.google);
    const busy = theirs.graph.filter(({ status }) => !FREE.includes(status));
    assert.deepEqual(
      busy.map(({ start, end }) => timeOf({ start: `${start.dateTime}Z`, end: `${end.dateTime}Z` })),
      ours.graph,
    );
    return `${asked.length} requests and ${grants.length} grants are equal, and so are ${ours.google.length + ours.graph.length} busy times`;
  } finally {
    await oauth.close();
    await calendars.close();
  }
}

async function readByOurs(
  oauth: FakeOAuth,
  calendars: FakeCalendars,
): Promise<{ google: BusyTime[]; graph: BusyTime[] }> {
  const egress = createEgress({ allow: parseAllow("localhost:*,127.0.0.1:*"), ownAddresses: [] });
  try {
    const { clientId, clientSecret, url } = oauth;
    const addresses = {
      authUrl: `${url}/authorize`,
      tokenUrl: `${url}/token`,
      userinfoUrl: `${url}/userinfo`,
      revocationUrl: null,
    };
    const client = { clientId, clientSecret, ...addresses, scope: "calendar" };
    const first = await redeem(egress, client, { code: codeOf(oauth), verifier: VERIFIER, redirectUri: REDIRECT });
    const { accessToken: token } = await refresh(egress, client, first.refreshToken ?? "");
    const days = { from: Date.parse(FROM), to: Date.parse(TO) };
    const question = {
      url: calendars.url,
      token,
      address: EMAIL,
      ...days,
      timeoutMs: 5_000,
      signal: AbortSignal.timeout(60_000),
    };
    return { google: await readBusyTimes(egress, "A", question), graph: await readBusyTimes(egress, "B", question) };
  } finally {
    await egress.close();
  }
}

async function readByTheirs(tools: string, oauth: FakeOAuth, calendars: FakeCalendars): Promise<unknown> {
  await copyFile(fileURLToPath(new URL("calendar-clients.mjs", import.meta.url)), join(tools, "calendar-clients.mjs"));
  const child = spawn(process.execPath, ["--no-warnings", "calendar-clients.mjs"], {
    cwd: tools,
    stdio: ["pipe", "pipe", "pipe"],
  });
  calendars.fault(({ body }, res) => {
    if (body.timeZone !== "REFUSE" && body.availabilityViewInterval !== 5) return false;
    const error = { code: 403, message: "No", errors: [{ domain: "global", reason: "forbidden", message: "No" }] };
    res.writeHead(403, { "Content-Type": "application/json" }).end(JSON.stringify({ error }));
    return true;
  });
  const { clientId, clientSecret, url } = oauth;
  const client = {
    clientId,
    clientSecret,
    code: codeOf(oauth),
    codeVerifier: VERIFIER,
    redirectUri: REDIRECT,
    tokenUrl: `${url}/token`,
  };
  child.stdin.end(JSON.stringify({ ...client, calendarUrl: calendars.url, from: FROM, to: TO, address: EMAIL }));
  child.stderr.pipe(process.stderr);
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  if (code !== 0) throw new Error(said.slice(-4_000));
  return JSON.parse(said.trim().split("\n").at(-1) ?? "");
}

function codeOf(oauth: FakeOAuth): string {
  const challenge = createHash("sha256").update(VERIFIER).digest("base64url");
  const asked = {
    client_id: oauth.clientId,
    code_challenge: challenge,
    code_challenge_method: "S256",
    redirect_uri: REDIRECT,
  };
  const query = new URLSearchParams({ response_type: "code", state: "s", ...asked });
  return oauth.consent(`${oauth.url}/authorize?${query}`, EMAIL).searchParams.get("code") ?? "";
}

function timeOf({ start, end }: { start: string; end: string }): BusyTime {
  return { start: Date.parse(start), end: Date.parse(end) };
}

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { type FakeDns, startDns } from "../fakes/dns.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";
import { whyNoFilter } from "./install.ts";
import { type Rspamd, startRspamd } from "./rspamd.ts";

const why = await whyNoFilter();
if (why !== null) console.log(`the spam filter is skipped: ${why}`);
const withFilter = why === null ? test : test.skip;

let dns: FakeDns;
let rspamd: Rspamd;
let world: World;
beforeAll(async () => {
  if (why !== null) return;
  dns = await startDns({
    "sender.test": { MX: ["10 mx.sender.test"], TXT: ["v=spf1 -all"] },
    "_dmarc.sender.test": { TXT: ["v=DMARC1; p=reject"] },
  });
  rspamd = await startRspamd(dns.server);
  world = await startWorld({ worker: realWorker(), settings: { rspamdUrl: rspamd.url } });
}, 240_000);
afterAll(async () => {
  await world?.close();
  await rspamd?.stop();
  await dns?.close();
}, 60_000);

const CLEAN = {
  subject: "A question about your plants in {{ city }}",
  bodyText: "Hello {{ firstName }},\n\nI saw that you look after two plants. How do you plan their maintenance today?",
};
const SPAMMY = {
  subject: "FREE VIAGRA!!! EARN $$$ NOW",
  bodyHtml: `<p>Dear friend, YOU HAVE WON 1,000,000 DOLLARS!!! <a href="http://203.0.113.9/win.exe">http://paypal.com/login</a></p>
<div style="font-size:0;color:#ffffff;background-color:#ffffff">${"meeting agenda notes invoice project plan ".repeat(20)}</div>
<p><a href="http://203.0.113.9:8080/%70%61%79">https://www.bank.example/secure</a> <img src="http://203.0.113.9/a.gif"> No prescription needed.</p>`,
};

withFilter(
  "the real filter lets an ordinary mail pass as it would be sent, and marks one that shouts, lures and lies",
  async () => {
    const { rest, workspaceId } = await world.workspace();
    const { path } = await readyCampaign(rest, workspaceId);
    const steps = [
      {
        variants: [
          { label: "A", ...CLEAN },
          { label: "B", ...SPAMMY },
        ],
      },
    ];
    const { body } = await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
    const [clean, spammy] = body.steps[0].variants;
    const scoreOf = async (variantId: string) =>
      (await rest.post(`${path}/sequence/preview`, { variantId })).body.contentScore;
    const good = await scoreOf(clean.variantId);
    expect([good.action, good.score < 4]).toEqual(["no action", true]);
    const bad = await scoreOf(spammy.variantId);
    expect(["add header", "rewrite subject", "reject"]).toContain(bad.action);
    expect(bad.score).toBeGreaterThan(good.score);
    expect(bad.reasons.map(({ name }: { name: string }) => name)).toContain("PHISHING");
    const { warnings } = (await rest.get(`${path}/validate`)).body;
    expect(
      warnings
        .filter(({ code }: { code: string }) => code === "CONTENT_SPAMMY")
        .map(({ path }: { path: string }) => path),
    ).toEqual(["steps.0.variants.1"]);
  },
  120_000,
);

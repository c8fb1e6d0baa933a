import { afterAll, beforeAll } from "@jest/globals";
import { applyLeadChange, blankLead } from "../../domain/leads/lead.ts";
import { LEAD_STATUSES } from "../../domain/states.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, type Look, startChromium, type Visit } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";

export let world: World;

let chromium: Chromium;

export async function visit({ browser }: SignedIn, path: string, look?: Look): Promise<Visit> {
  const opened = await chromium.open(look);
  await opened.context.addCookies([...browser.cookies].map(([name, value]) => ({ name, value, url: world.baseUrl })));
  await opened.page.goto(`${world.baseUrl}${path}`);
  return opened;
}

/** Two people in a campaign, one of whom says much of herself. */
export async function withLeads() {
  const person = await signedIn(world);
  const { rest, workspaceId } = person;
  const at = `/w/${workspaceId}`;
  const { campaignId } = await readyCampaign(rest, workspaceId, ["ada@engines.test", "grace@navy.test"]);
  const leadOf = async (email: string): Promise<string> => (await rest.get(`/leads?search=${email}`)).body.items[0].id;
  const [ada, grace] = [await leadOf("ada@engines.test"), await leadOf("grace@navy.test")];
  const patch = {
    firstName: "Ada",
    lastName: "Lovelace",
    company: "Analytical Engines",
    tags: ["poets"],
    customFields: { opener: "Your notes" },
  };
  await rest.post("/leads/manage", { action: "update", leadId: ada, patch });
  await rest.post("/leads/manage", { action: "createNote", leadId: ada, body: "Likes numbers" });
  const { body: list } = await rest.post("/lead-lists", { name: "Founders" });
  await rest.post("/lead-lists/manage", { action: "addMembers", listId: list.id, leadIds: [ada] });
  return { ...person, at, campaignId, ada, grace };
}

export function leadOf(number: number) {
  const domain = `company-${Math.floor(number / 100)}.test`;
  const content = applyLeadChange(blankLead(`person.${number}@${domain}`, domain), {
    firstName: "Grace",
    tags: [`tag-${number % 20}`],
  });
  return { ...content, status: LEAD_STATUSES[number % LEAD_STATUSES.length] ?? "ACTIVE" };
}

/** Registers the hooks that these test files share. */
export function useSetup(more: Parameters<typeof startWorld>[0] = {}): void {
  beforeAll(async () => {
    world = await startWorld({ console: await builtConsole(), ...more });
    chromium = await startChromium();
  }, 120_000);
  afterAll(async () => {
    await chromium?.close();
    await world?.close();
  });
}

import { DAY_MS } from "../../../domain/time/durations.ts";
import type { ToolResult } from "../../support/mcp.ts";
import type { Job } from "./job.ts";

const CSV = `Email,First name,Company,Stand,Note
ada@engines.example,Ada,Engines,D12,"Asked about ""bulk"" prices,
call in autumn"
ben@looms.example,Ben,Looms,D14,
cem@mills.example,Cem,Mills,E02,Met at the bar
dora@pumps.example,Dora,Pumps,E03,
refuse.kim@closed.example,Kim,Closed,F01,
dora@pumps.example,Dora,Pumps,E03,Twice in the file
eva(at)valves.example,Eva,Valves,F07,
`;

/** The fields of a plan that the transcript shows. */
const PLAN = "people mails cost firstSendAt lastSendAt recipients to subject text planToken";
const ALWAYS = [{ days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" }];

const importPeople: Job = {
  name: "Import people from a CSV text",
  asked: "Here is the CSV from the fair. Put these people on a list, keep stand and note.",
  most: 4,
  async run(call, { known }) {
    const asked = { csv: CSV, keepUnmapped: true };
    await call("leads_import", { action: "dryRun", ...asked }, "created invalid duplicateInFile errors mapping");
    const { id: listId } = await call("lead_lists", { action: "create", name: "Spring fair" });
    await call(
      "leads_import",
      { action: "commit", ...asked, listId, idempotencyKey: "import-fair-1" },
      "created membershipsAdded",
    );
    await call("leads_search", { listId, detail: "low" }, "id email company status total");
    known.set("listId", listId);
  },
};

const launchCampaign: Job = {
  name: "Build and launch a campaign",
  asked: "Write to them from ann@north.test in two steps, the second after three days. Show me what goes out first.",
  most: 8,
  async run(call, { known, settled }, meanwhile) {
    const { items } = await call("mailboxes_list", { search: "ann@north.test", detail: "low" }, "id email status");
    const { id: campaignId } = await call("campaigns_create", { name: "Fair follow-up" }, "id name status");
    const pace = { windows: ALWAYS, timezone: "Europe/Berlin", minGapSeconds: 0, maxGapSeconds: 0 };
    const settings = { mailboxIds: [items[0].id], ...pace };
    await call("campaign_settings_update", { campaignId, settings }, "timezone mailboxIds");
    const steps = [
      {
        subject: 'Your stand {{ stand | default: "at the fair" }}',
        bodyText: 'Hello {{ firstName | default: "there" }},\n\nthank you for stopping by. Shall we talk next week?',
        delay: { value: 0, unit: "MINUTES" },
      },
      { subject: "", bodyText: "Did you have time to look at this?", delay: { value: 3, unit: "DAYS" } },
    ];
    await call("campaign_sequence_update", { campaignId, action: "replaceSteps", steps }, "version stepId subject");
    await call("recipients_manage", { campaignId, action: "addFromList", leadListId: known.get("listId") });
    await call("campaign_validate", { campaignId }, "valid code message");
    const { planToken } = await call("campaign_control", { campaignId, action: "launch", planOnly: true }, PLAN);
    meanwhile("The agent shows the plan, and the person agrees.");
    const commit = { campaignId, action: "launch", planToken, idempotencyKey: "launch-fair-1" };
    await call("campaign_control", commit, "launched status");
    known.set("campaignId", campaignId);
    await settled(`/campaigns/${campaignId}`, ({ metrics }) => metrics.sent === 4 && metrics.bounced === 1);
  },
};

const explain: Job = {
  name: "Explain why a person got no email",
  asked: "Why did Kim from Closed get no email?",
  most: 2,
  async run(call, { known }) {
    const campaignId = known.get("campaignId");
    const { items } = await call("recipients_list", { campaignId, search: "kim", detail: "low" }, "id email status");
    await call(
      "recipients_list",
      { campaignId, view: "explain", recipientId: items[0].id },
      "status stopReason state failure",
    );
  },
};

const triage: Job = {
  name: "Triage the inbox",
  asked: "Go through the new replies: answer everyone who wants to talk, draft the rest, and respect every no.",
  most: 12,
  async run(call, { known, reply }, meanwhile) {
    await reply("ada@engines.example", "Yes, Thursday at ten suits me. Please call me then.");
    await reply("ben@looms.example", "What does it cost for ten looms?");
    await reply("cem@mills.example", "Please take me off your list.");
    meanwhile("Ada, Ben and Cem have answered.");
    const { items } = await call(
      "inbox_threads_list",
      { campaignId: known.get("campaignId"), detail: "low" },
      "id subject snippet category",
    );
    const read: ToolResult["body"][] = [];
    for (const { id: threadId } of items)
      read.push(await call("inbox_thread_get", { threadId }, "direction body ownCharacters"));
    const inboundOf = (word: string) => {
      const thread = read.find(({ messages }) => messages.some(({ body }: { body: string }) => body.includes(word)));
      const { id: messageId } = thread.messages.find(({ direction }: { direction: string }) => direction === "INBOUND");
      return { threadId: thread.id, leadId: thread.leadId, messageId };
    };
    const [ada, ben, cem] = [inboundOf("Thursday"), inboundOf("cost"), inboundOf("take me off")];
    await call("inbox_message_categorize", { messageId: ada.messageId, category: "MEETING_REQUEST" }, "id category");
    const answer = { threadId: ada.threadId, text: "Thursday at ten it is. I will call you." };
    await call("inbox_reply_send", { ...answer, idempotencyKey: "reply-ada-1" });
    await call("inbox_draft", { action: "save", threadId: ben.threadId, text: "Ten looms cost 900 EUR a month." });
    await call("leads_suppress", { action: "suppress", ids: [cem.leadId] });
    await call("inbox_thread_manage", { action: "archive", threadIds: [cem.threadId] });
    await call("inbox_summary");
  },
};

const report: Job = {
  name: "Report the week",
  asked: "How did our campaigns do in the last seven days?",
  most: 1,
  async run(call) {
    const [from, to] = [Date.now() - 6 * DAY_MS, Date.now()].map((at) => new Date(at).toISOString().slice(0, 10));
    const metrics = ["contacted", "sent", "replied", "replyRate", "bounced", "bounceRate"];
    await call("analytics_report", { from, to, groupBy: "CAMPAIGN", metrics });
  },
};

export const SENDING_JOBS = [importPeople, launchCampaign, explain, triage, report];

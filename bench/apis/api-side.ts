import { DAY_MS } from "../../domain/time/durations.ts";
import { PROJECT } from "../../test/fakes/gmail/notices.ts";
import { startGmail } from "../../test/fakes/gmail/server.ts";
import { startGraph } from "../../test/fakes/graph/server.ts";
import { answer } from "../system/processes.ts";
import { type ApiSide, atGmail } from "./api-mailboxes.ts";

export interface ApiSideOrders {
  /** The addresses of the mailboxes at Graph; Gmail makes its mailboxes by itself. */
  graph: string[];
  /** A mailbox at Gmail with so many emails of the last days. */
  old?: { address: string; count: number };
}

/** The instants (epoch milliseconds) at which emails left. */
export interface Left {
  gmail: number[];
  graph: number[];
}

/** The stand-ins of both APIs in their own process. A token is the address of its mailbox. */
const { graph: addresses, old }: ApiSideOrders = JSON.parse(process.argv[2] ?? "{}");
const gmail = await startGmail({ knows: (token) => token });
gmail.settings.quota = "SINCE_MAY_2026";
const graph = await startGraph({
  mailboxes: addresses.map((address) => ({ address })),
  knows: (address) => ({ address }),
});

const topic = `projects/${PROJECT}/topics/gmail`;
const subscription = `projects/${PROJECT}/subscriptions/reader`;
gmail.subscribe(topic, subscription);

const text = "A few words about what was said, and about what may follow from it. ".repeat(20);
function emailTo(address: string, name: string, at: number): string {
  return `From: bob@b.test\r\nTo: ${address}\r\nMessage-ID: <${name}@b.test>\r\nDate: ${new Date(at).toUTCString()}\r\nSubject: ${name}\r\n\r\n${text}\r\n`;
}

function receive(address: string, name: string, at: number): void {
  gmail.mailbox(address).receive(Buffer.from(emailTo(address, name, at)), { at });
}

let arrivals = 0;
/** One email, in turn at each of the mailboxes; returns its subject. */
function arriveAt(api: "gmail" | "graph"): string {
  const subject = `${api}-${arrivals}`;
  const address = addresses[arrivals++ % addresses.length] ?? "";
  if (api === "gmail") receive(atGmail(address), subject, Date.now());
  else void graph.arrive(address, emailTo(address, subject, Date.now()));
  return subject;
}

if (old !== undefined) {
  const [from, span] = [Date.now() - 6 * DAY_MS, 5 * DAY_MS];
  for (let index = 0; index < old.count; index++)
    receive(old.address, `old-${index}`, from + (span * index) / old.count);
}

function setNotices(come: boolean): void {
  gmail.settings.notices.lost = come ? 0 : Number.POSITIVE_INFINITY;
  graph.settings.notices.missing = !come;
}

answer({
  side: (): ApiSide => ({
    gmail: gmail.url,
    graph: `${graph.url}/v1.0`,
    notices: { by: "PUBSUB", topic, subscription, credentials: gmail.subscriber, url: gmail.url },
  }),
  counts: () => ({ gmail: gmail.sent.length, graph: graph.sent.length }),
  take: () => {
    for (const { asked } of [gmail, graph]) asked.length = 0;
    const [ofGmail, ofGraph] = [gmail, graph].map(({ sent }) => sent.splice(0).map(({ at }) => at));
    return { gmail: ofGmail ?? [], graph: ofGraph ?? [] } satisfies Left;
  },
  arrive: () => receive(old?.address ?? "", "new", Date.now()),
  arriveAtGmail: () => arriveAt("gmail"),
  arriveAtGraph: () => arriveAt("graph"),
  loseNotices: () => setNotices(false),
  giveNotices: () => setNotices(true),
});

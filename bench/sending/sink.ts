import { startSmtp } from "../../test/fakes/smtp.ts";
import { startSubscriber } from "../../test/fakes/subscriber.ts";
import { answer } from "../system/processes.ts";

export interface SinkOrders {
  certificate: { key: string; cert: string };
  /** Milliseconds until the mail server answers to the end of an email. */
  delayMs?: number;
}

/** The times (epoch milliseconds) of what the sink has received since it was last emptied. */
export interface Taken {
  mails: number[];
  webhooks: number[];
}

/** The remote servers, in their own process: an SMTP server for every mailbox, and a webhook receiver. */
const { certificate, delayMs = 0 }: SinkOrders = JSON.parse(process.argv[2] ?? "{}");
const smtp = await startSmtp({ certificate, secure: true, keepRaw: false, delayMs });
const subscriber = await startSubscriber();
answer({
  ports: () => ({ smtp: smtp.port, subscriberUrl: subscriber.url }),
  counts: () => ({ mails: smtp.ledger.length, webhooks: subscriber.received.length }),
  take: () => {
    smtp.attempts.length = 0;
    const mails = smtp.ledger.splice(0).map(({ at }) => at);
    const webhooks = subscriber.received.splice(0).map(({ at }) => at.getTime());
    return { mails, webhooks } satisfies Taken;
  },
});

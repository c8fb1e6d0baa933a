import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parseInbound } from "../../connectors/mime/parse.ts";
import { readBounce } from "../../domain/bounces/bounce.ts";
import { ownEvidence } from "../../domain/bounces/own-evidence.ts";
import { readIntent } from "../../domain/inbox/intent/read.ts";
import { defaultKindFacts, kindOf } from "../../domain/inbox/kind.ts";
import { readAutoReply } from "../../domain/mail/auto-reply.ts";
import type { Inbound } from "../../domain/mail/inbound.ts";
import { quantile, type Row } from "../table.ts";

const SAMPLES = new URL("../../../shared/data/bounces/", import.meta.url);
const ROUNDS = 5;
const LONG = 2 * 1024 * 1024;
const UNITS = [
  " ",
  "\n",
  "user ",
  "recipient address of the ",
  "message-id: <",
  "final-recipient: rfc822; a@b\naction: failed\n\n",
  "until ",
];
const FACTS = defaultKindFacts("me@ours.example");

/**
 * Measures the classification of emails: kind, authentication results, our ids in it, return date and intent. First
 * labelled emails, then malicious ones.
 */
export async function run(): Promise<Row> {
  if (!existsSync(SAMPLES)) throw new Error(`There are no samples at ${SAMPLES.pathname}`);
  const raws = readdirSync(SAMPLES)
    .filter((name) => name.endsWith(".eml"))
    .map((name) => readFileSync(new URL(name, SAMPLES)));
  const mails = raws.map((raw) => parseInbound(raw));
  for (const mail of mails) classify(mail); // compiles the patterns, which happens at the first use
  const bare: number[] = [];
  const whole: number[] = [];
  const processor: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const mail of mails) bare.push(timeOf(() => classify(mail)));
    const used = process.cpuUsage();
    for (const raw of raws) whole.push(timeOf(() => classify(parseInbound(raw))));
    const { user, system } = process.cpuUsage(used);
    processor.push((user + system) / 1_000 / raws.length);
  }
  const hostile = UNITS.map((unit) => timeOf(() => classify(hostileMail(mails[0], unit))));
  const mean = (times: number[]) => times.reduce((sum, time) => sum + time, 0) / times.length;
  return {
    title: "Classify one message",
    how: `${raws.length} labelled emails of many systems, ${ROUNDS} times: kind, bounce verdicts, our ids in it, auto-reply and return date, what its words want. Hostile: ${UNITS.length} emails of 2 MB made to make patterns begin again.`,
    measured: [
      { what: "mean, the mail parsed already", goal: "under 5 ms", measured: ms(mean(bare)), met: mean(bare) < 5 },
      { what: "mean, parsing included", goal: "", measured: ms(mean(whole)), met: null },
      { what: "processor time of one email, parsing included", goal: "", measured: ms(mean(processor)), met: null },
      {
        what: "slowest labelled email",
        goal: "under 1 s",
        measured: ms(Math.max(...bare)),
        met: Math.max(...bare) < 1_000,
      },
      {
        what: "slowest malicious email",
        goal: "under 1 s",
        measured: ms(Math.max(...hostile)),
        met: Math.max(...hostile) < 1_000,
      },
      { what: "p95, parsing included", goal: "", measured: ms(quantile(whole, 0.95)), met: null },
    ],
  };
}

function classify(mail: Inbound): void {
  kindOf(mail, FACTS);
  readBounce(mail);
  ownEvidence(mail);
  readAutoReply(mail);
  readIntent({ words: mail.replyText, subject: mail.subject });
}

function timeOf(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function hostileMail(mail: Inbound | undefined, unit: string): Inbound {
  if (mail === undefined) throw new Error("There is no mail to start from");
  const text = unit.repeat(Math.ceil(LONG / unit.length));
  return {
    ...mail,
    returnPath: "",
    text,
    html: text,
    replyText: text,
    returned: text,
    deliveryStatus: null,
    feedbackReport: null,
  };
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(1)} ms`;
}

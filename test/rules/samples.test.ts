import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { z } from "zod";
import { parseInbound } from "../../connectors/mime/parse.ts";
import { replyOf } from "../../connectors/mime/reply-text.ts";
import { peopleOnlyIn } from "../../domain/agent/settings.ts";
import { readBounce } from "../../domain/bounces/bounce.ts";
import { readIntent } from "../../domain/inbox/intent/read.ts";
import { kindOf } from "../../domain/inbox/kind.ts";
import { FACTS } from "../domain/mail/mail.ts";

// Labelled mail of many systems, kept beside the project for its size and licences; every rule has tests of its own too
const BOUNCES = new URL("../../../shared/data/bounces/", import.meta.url);
const MORE_BOUNCES = new URL("../../../shared/data/bounces-more/", import.meta.url);
const REPLIES = new URL("../../../shared/data/replies/", import.meta.url);
const MORE_REPLIES = new URL("../../../shared/data/replies-more/", import.meta.url);

const Bounces = z.array(
  z.object({
    file: z.string(),
    kind: z.string(),
    recipients: z.array(z.object({ reason: z.string(), hard: z.boolean() })),
  }),
);
const MoreBounces = z.record(z.string(), z.object({ label: z.string() }));
const KIND_OF: Record<string, string> = {
  BOUNCE: "BOUNCE",
  DELAY: "DELAY",
  DELAYED: "DELAY",
  DELIVERED: "REPORT",
  COMPLAINT: "COMPLAINT",
  AUTO_REPLY: "AUTO_REPLY",
  NONE: "OTHER",
};
const NEVER_HARD =
  /^(?:authfailure|badreputation|blocked|contenterror|norelaying|notcompliantrfc|policyviolation|rejected|requireptr|securityerror|spamdetected|virusdetected|speeding|toomanyconn)$/;
/**
 * Emails that are read differently from their labels, and why: the label is upstream's verdict, not a field of the
 * email (SOURCE.txt).
 */
const HARD_OTHERWISE = {
  "lhost-aol-06.eml":
    "a name server that answered nothing that can be read says nothing of the domain (rules/mail 7.5)",
  "lhost-exim-30.eml": "554 5.7.1 Access denied may be a rule against us: doubt suppresses nobody",
  "lhost-receivingses-02.eml": "550 5.1.1 Mailbox does not exist, under an Action: failed of its own system",
  "lhost-x2-02.eml":
    "a provider that says of two people that they have no account there; other samples label the same words HARD",
};
const MoreReplies = z.array(
  z.object({ id: z.string(), text: z.string().nullable(), html: z.string().nullable(), want: z.string() }),
);
/** Emails that are read differently from the labels of three other projects, and why. */
const REPLY_OTHERWISE = {
  "trimmer/embedded_email_16":
    "what is marked as quoted is a quote, though it stands on top: it holds somebody else's words about unsubscribing",
  "trimmer/spam_1": "nothing but quotes: an empty reply falls back to the whole text (rules/mail 11.1)",
  "talon-text/test_dont_parse_quotations_for_forwarded_messages":
    "a forwarded part is none of the person's words (rules/mail 11.1)",
  "talon-html/test_regular_blockquote": "a blockquote is a quote wherever it stands",
};
function labelled(folder: URL, file = "expected.json"): typeof test | typeof test.skip {
  if (existsSync(new URL(file, folder))) return test;
  console.info(`Skipped: no labelled samples at ${folder.pathname}`);
  return test.skip;
}

const read = (folder: URL, file: string) => readFileSync(new URL(file, folder));

function judged() {
  const samples = Bounces.parse(JSON.parse(read(BOUNCES, "expected.json").toString()));
  return samples.map((sample) => {
    const message = parseInbound(read(BOUNCES, sample.file));
    return { ...sample, found: kindOf(message, FACTS), recipientsFound: readBounce(message)?.recipients ?? [] };
  });
}

const moreLabels = () => MoreBounces.parse(JSON.parse(read(MORE_BOUNCES, "expected.json").toString()));

labelled(BOUNCES)("every sample of a bounce is read as the kind that its label names", () => {
  const wrong = judged().filter(({ kind, found }) => KIND_OF[kind] !== found);
  expect(wrong).toEqual([]);
});

labelled(BOUNCES)(
  "hard and soft match the labels of 97 in 100 recipients, and no block is read as a hard bounce",
  () => {
    const pairs = judged().flatMap(({ file, recipients, recipientsFound }) =>
      recipients.map(({ reason, hard }, index) => ({
        file,
        reason,
        hard,
        isHard: recipientsFound[index]?.type === "HARD",
      })),
    );
    const wrong = pairs.filter(({ hard, isHard }) => hard !== isHard);
    const files = [...new Set(wrong.map(({ file }) => file))];
    expect(files).toEqual(Object.keys(HARD_OTHERWISE));
    expect(files.length).toBeLessThanOrEqual(pairs.length * 0.03);
    expect(pairs.filter(({ reason, isHard }) => isHard && NEVER_HARD.test(reason))).toEqual([]);
  },
);

labelled(MORE_BOUNCES)("every labelled email of other systems is read as the kind that its label names", () => {
  const wrong = Object.entries(moreLabels()).flatMap(([file, { label }]) => {
    const found = kindOf(parseInbound(read(MORE_BOUNCES, file)), FACTS);
    return label === "UNLABELLED" || found === KIND_OF[label] ? [] : [{ file, label, found }];
  });
  expect(wrong).toEqual([]);
});

// They carry no labels of their own for it: these say in words or by code that the address or its domain is wrong, and
// no others do
labelled(MORE_BOUNCES)(
  "a bounce of another system is hard only if its words or codes say that the address does not exist",
  () => {
    const hard = Object.keys(moreLabels()).filter((file) =>
      readBounce(parseInbound(read(MORE_BOUNCES, file)))?.recipients.some(({ type }) => type === "HARD"),
    );
    const named =
      "bounce_02 dsn_10 dsn_13 dsn_14 dsn_16 exim_01 groupwise_01 groupwise_02 simple_04 simple_05 simple_11 simple_12 simple_19 simple_23";
    const others = "simple_29 simple_33 simple_36 simple_39 simple_43 smtp32_04 smtp32_06 smtp32_07 yahoo_10";
    expect(hard.toSorted()).toEqual(`${named} ${others}`.split(" ").map((name) => `${name}.txt`));
  },
);

for (const [name, folder, files] of [
  [
    "bounces",
    BOUNCES,
    () => Bounces.parse(JSON.parse(read(BOUNCES, "expected.json").toString())).map(({ file }) => file),
  ],
  ["bounces of other systems", MORE_BOUNCES, () => Object.keys(moreLabels())],
] as const) {
  labelled(folder)(`different line endings do not change how ${name} are read`, () => {
    for (const file of files()) {
      const lines = read(folder, file)
        .toString("latin1")
        .split(/\r\n?|\n/);
      const [crlf, lf, cr] = ["\r\n", "\n", "\r"].map((end) => {
        const message = parseInbound(Buffer.from(lines.join(end), "latin1"));
        return { kind: kindOf(message, FACTS), bounce: readBounce(message) };
      });
      expect({ file, crlf, cr }).toEqual({ file, crlf: lf, cr: lf });
    }
  });
}

labelled(REPLIES)("a reply without its quotes is exactly what the person wrote", () => {
  const expected = z.record(z.string(), z.string()).parse(JSON.parse(read(REPLIES, "expected.json").toString()));
  for (const [file, text] of Object.entries(expected)) {
    expect({ file, text: replyOf(read(REPLIES, file).toString(), null) }).toEqual({
      file,
      text: text.replaceAll("\r\n", "\n").trim(),
    });
  }
});

labelled(MORE_REPLIES, "samples.json")(
  "replies of other collections without their quotes match the labels, except for the listed samples",
  () => {
    const samples = MoreReplies.parse(JSON.parse(read(MORE_REPLIES, "samples.json").toString()));
    // The labels of HTML have lost their spaces
    const same = (text: string, isHtml: boolean) =>
      isHtml ? text.replace(/\s|&#160;/g, "") : text.replace(/\s+/g, " ").trim();
    const wrong = samples.filter(
      ({ text, html, want }) => same(replyOf(text, html), text === null) !== same(want, text === null),
    );
    expect(wrong.map(({ id }) => id)).toEqual(Object.keys(REPLY_OTHERWISE));
    expect(wrong.length).toBeLessThanOrEqual(samples.length * 0.1);
  },
);

// In their writers' own words none of them asks to stop, threatens or promises anything; some quoted text does
labelled(MORE_REPLIES, "samples.json")(
  "no promise, opt-out or threat is found in the replies of other collections",
  () => {
    const replies = [
      ...Object.keys(JSON.parse(read(REPLIES, "expected.json").toString())).map((file) =>
        replyOf(read(REPLIES, file).toString(), null),
      ),
      ...MoreReplies.parse(JSON.parse(read(MORE_REPLIES, "samples.json").toString())).map(({ text, html }) =>
        replyOf(text, html),
      ),
    ];
    const readAll = (words: string) => {
      const intent = readIntent({ words, at: Date.UTC(2026, 9, 14) });
      const promises = intent.clauses.filter(({ date, address }) => date !== null || address !== null);
      return [promises, intent.optOut, peopleOnlyIn(intent)];
    };
    expect(replies.length).toBe(79);
    for (const text of replies) expect([text, ...readAll(text)]).toEqual([text, [], null, null]);
  },
);

labelled(MORE_REPLIES, "samples.json")(
  "a person's reply is not read as an automatic reply, whatever the reply quotes",
  () => {
    const bodies = [
      ...Object.keys(JSON.parse(read(REPLIES, "expected.json").toString())).map(
        (file) => [file, "plain", read(REPLIES, file)] as const,
      ),
      ...MoreReplies.parse(JSON.parse(read(MORE_REPLIES, "samples.json").toString())).map(
        ({ id, text, html }) => [id, html === null ? "plain" : "html", Buffer.from(html ?? text ?? "")] as const,
      ),
    ];
    for (const [name, type, body] of bodies) {
      const head = `From: bob@b.example\nSubject: Re: Widgets\nIn-Reply-To: <1@ours.example>\nX-Auto-Response-Suppress: All\nContent-Type: text/${type}; charset=utf-8\n\n`;
      expect({
        name,
        kind: kindOf(parseInbound(Buffer.concat([Buffer.from(head), body])), { ...FACTS, attributedBy: 2 }),
      }).toEqual({
        name,
        kind: "REPLY",
      });
    }
  },
);

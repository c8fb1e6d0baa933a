import { warmupText } from "../../domain/warmup/text.ts";

/** How the sender whose mail the filter comes to know signs everything. */
export const SIGNATURE =
  "<p>Ann Miller<br>Growth Partner at Alpine Lead Machine<br>We fill calendars of industrial suppliers with qualified appointments, guaranteed within thirty days or your money back</p>";

const PROMISES = [
  "Our system books forty meetings a month for firms like yours, shall I show you how it works?",
  "Last chance to reserve a free trial of our lead machine before prices go up on Friday",
  "Imagine your calendar full of buyers who want to talk to you, without any effort from your team",
  "You have been selected for our exclusive growth audit worth two thousand dollars, free today only",
  "Competitors of yours already win twelve new customers each month with our proven outreach system",
];

/**
 * What users of the provider have moved to Junk so far: emails that promise much, above the signature of the warmup's
 * sender.
 */
export function promotions(): string[] {
  const lines = SIGNATURE.replaceAll(/<\/?p>/g, "").replaceAll("<br>", "\r\n");
  return Array.from({ length: 2 * PROMISES.length }, (_, index) => {
    const head = {
      From: "Ann Miller <ann@a.test>",
      Subject: `Meetings for your team, ${index}`,
      "Message-ID": `<promotion-${index}@a.test>`,
    };
    return rawMail(head, `${PROMISES[index % PROMISES.length]}\r\n\r\n${lines}`);
  });
}

/** The emails that they have moved out of it: ordinary ones of other people. */
export function officeMails(): string[] {
  const [bob, cleo] = [
    { name: "Bob Stone", email: "bob@b.test", signatureHtml: null },
    { name: "Cleo Park", email: "cleo@c.test", signatureHtml: null },
  ];
  return Array.from({ length: 10 }, (_, index) => {
    const [from, to] = index % 2 === 0 ? [bob, cleo] : [cleo, bob];
    const { subject, text } = warmupText({ openingId: `office ${index}`, turn: 1, language: "en", from, to });
    return rawMail({ From: from.email, Subject: subject, "Message-ID": `<office-${index}@b.test>` }, text);
  });
}

function rawMail(head: Record<string, string>, text: string): string {
  const headers = {
    ...head,
    To: "somebody@b.test",
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=utf-8",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${lines.join("\r\n")}\r\n\r\n${text}\r\n`;
}

import { replySubject } from "../mail/message.ts";
import { htmlOf } from "../templates/body.ts";
import { correspondenceIn, type Phrases, type Scenario } from "./correspondence.ts";
import { detailsOf, drawOne, phrase } from "./details.ts";
import type { WarmupLanguage } from "./enrolment.ts";
import { signatureOf } from "./signature.ts";
import { personsName, signersName, type WarmupWriter } from "./writer.ts";

/** Which mail of which conversation is written, by whom to whom. */
export interface SaidTurn {
  openingId: string;
  turn: 1 | 2 | 3 | 4;
  language: WarmupLanguage;
  from: WarmupWriter;
  to: WarmupWriter;
}

/** What a scenario says can stand between an opening and a closing sentence, or beside one of them. */
const LAYOUTS = ["OPENER", "CLOSER", "BOTH"] as const;
const JOINTS = [" ", "\n\n"] as const;

/**
 * The mail of one turn of a conversation (rules/warmup 4). The same opening, turn and people always give the same text, so a retry sends
 * what the first attempt sent, and a reader of the thread sees the same days, rooms and numbers in every turn.
 */
export function warmupText(conversation: SaidTurn): { subject: string; text: string; html: string } {
  const { openingId, turn, language, from, to } = conversation;
  const { phrases, scenarios } = correspondenceIn(language);
  const scenario = drawOne(openingId, "scenario", scenarios);
  const details = detailsOf(openingId, phrases, scenario);
  const say = (source: string, part: string) => phrase(source, { openingId, turn, part }, details);
  const subject = phrase(scenario.subject, { openingId, turn: 1, part: "subject" }, details);

  const words = [greet(to, phrases, say), bodyOf(conversation, scenario, phrases, say)].join("\n\n");
  const signature = signatureOf(from, openingId);
  const signOff = signature?.hasClosing === true ? null : say(phrases.signOff, "sign-off");
  const end = [signOff, signature === null ? signersName(from) : null].filter((line) => line !== null).join("\n");
  const own = end === "" ? words : `${words}\n\n${end}`;
  return {
    subject: turn === 1 ? subject : replySubject(subject),
    text: signature === null ? own : `${own}\n\n${signature.text}`,
    html: signature === null ? htmlOf(own) : `${htmlOf(own)}\n${signature.html}`,
  };
}

type Say = (source: string, part: string) => string;

/** A name is put in last and as it is: nothing in it can be a choice or a slot. */
function greet(to: WarmupWriter, { greeting, greetingWithoutName, greetsBy }: Phrases, say: Say): string {
  const name = personsName(to);
  if (name === null) return say(greetingWithoutName, "greeting");
  const called = greetsBy === "FIRST_NAME" ? name.first : name.full;
  return say(greeting, "greeting").replace("[name]", () => called);
}

function bodyOf({ openingId, turn }: SaidTurn, scenario: Scenario, phrases: Phrases, say: Say): string {
  const draw = <T>(what: string, options: readonly [T, ...T[]]) => drawOne(openingId, `${turn} ${what}`, options);
  const layout = draw("layout", LAYOUTS);
  const said = say(scenario.turns[turn - 1] ?? "", "scenario");
  const opener = layout === "CLOSER" ? "" : say(phrases.openers[turn - 1] ?? "", "opener") + draw("joint of opener", JOINTS);
  const closer = layout === "OPENER" ? "" : draw("joint of closer", JOINTS) + say(phrases.closers[turn - 1] ?? "", "closer");
  return opener + said + closer;
}

import {
  build,
  type Construction,
  HARDLY,
  hasAny,
  isPassable,
  mayAskToStop,
  NEAR,
  type Negated,
  strengthOfStopping,
  type VerbPlace,
} from "./construction.ts";
import type { Tag } from "./lexicon.ts";
import type { Reading } from "./reading.ts";

/** The constructions by which a sentence asks to stop, in the words of one language. */
export function constructionsOf(reading: Reading): Construction[] {
  return mayAskToStop(reading) ? new Constructions(reading).all() : [];
}

class Constructions {
  readonly #reading: Reading;
  readonly #tags: readonly ReadonlySet<Tag>[];
  readonly #near: number;

  constructor(reading: Reading) {
    this.#reading = reading;
    const tags = reading.sentence.tokens.map(() => new Set<Tag>());
    for (const { tag, words } of reading.found) for (const at of words) tags[at]?.add(tag);
    this.#tags = tags;
    this.#near = reading.lexicon.isUnspaced ? NEAR.unspaced : NEAR.spaced;
  }

  all(): Construction[] {
    const turnable = [...this.#leaving(), ...this.#removing(), ...this.#stopping(), ...this.#phrases()];
    const negated = [
      ...this.#notWriting(),
      ...this.#notCalling(),
      ...this.#noMail(),
      ...this.#notWanting(),
      ...this.#notKeeping(),
    ];
    // A negation belongs to only one verb: in "stop niet met mailen" to the first one
    const usedNegations = new Set(turnable.flatMap(({ turnedBy }) => turnedBy ?? []));
    const own = negated
      .filter(({ negation }) => negation === null || !usedNegations.has(negation))
      .map(({ construction }) => construction);
    const all = [
      ...turnable,
      ...own,
      ...this.#forbidding(),
      ...this.#needless(),
      ...this.#threatening(),
      ...this.#wondering(),
    ];
    return all.map((one) => ({ ...one, isCallWanted: this.#isCallWanted(one.by) }));
  }

  /** Unsubscribe me. */
  #leaving(): Construction[] {
    const isTold = this.#has("list", "mail", "more", "things");
    const past = this.#all("left").flatMap((by) => (isTold ? [build(by, "MAYBE")] : []));
    return [
      ...past,
      ...this.#all("leave").map((by) => ({ ...build(by, "STRONG"), isLeaving: true, turnedBy: this.#negationOf(by) })),
    ];
  }

  /** Remove me from your list. */
  #removing(): Construction[] {
    const isListed = this.#has("list") && !this.#isOurList();
    const active = this.#all("remove").flatMap((by) => {
      const [me, address] = [this.#isNear(by, "me"), this.#isNear(by, "address")];
      const isWhole = (isListed && (me || address)) || (me && address);
      if (isWhole) return [build(by, "STRONG")];
      return isListed || address || this.#isObject(by, "me") ? [build(by, "WEAK")] : [];
    });
    const isWished = isListed || this.#has("want", "please", "address");
    const isPart = (one: VerbPlace) => active.some(({ by }) => one.words.some((at) => at >= by.start && at < by.end));
    const passive = isWished ? this.#all("removed").flatMap((by) => (isPart(by) ? [] : [build(by, "STRONG")])) : [];
    return [...active, ...passive].map((one) => ({ ...one, turnedBy: this.#negationOf(one.by) }));
  }

  /** Stop writing to me. Stop these emails. */
  #stopping(): Construction[] {
    return this.#all("stop").flatMap((by) => {
      const objects = this.#isWholeClause(by) ? this.#around(by) : this.#inReach(by);
      if (this.#isOurMail(by) || this.#isToldOfMail(by)) return [];
      const strength = strengthOfStopping(objects, this.#isWholeClause(by));
      return strength === null ? [] : [{ ...build(by, strength), turnedBy: this.#negationOf(by) }];
    });
  }

  /** Leave me alone. Stop! */
  #phrases(): Construction[] {
    const requests = this.#all("requests").map((by) => build(by, "STRONG"));
    const hints = this.#all("hints").flatMap((by) => (this.#isWholeClause(by) ? [build(by, "HINT")] : []));
    const denies = ({ words }: VerbPlace) => words.some((at) => this.#tags[at]?.has("not"));
    return [...requests, ...hints].map((one) => ({
      ...one,
      turnedBy: denies(one.by) ? null : this.#negationOf(one.by),
    }));
  }

  /** Do not write to me again. */
  #notWriting(): Negated[] {
    const verbs = [...this.#all("contact"), ...this.#all("send")].flatMap((by) => {
      const negation = this.#negationOf(by);
      return negation === null ? [] : [{ by, negation: negation as number | null }];
    });
    const fused = this.#all("dontWrite").flatMap((by) =>
      this.#negationOf(by) === null ? [{ by, negation: null }] : [],
    );
    return [...verbs, ...fused].flatMap(({ by, negation }) => {
      if (this.#isElsewhere(by) || this.#isNoun(by)) return [];
      const objects = this.#inReach(by);
      const isMail = hasAny(objects, "mail", "things", "more");
      if (by.tag === "send" && !isMail) return [];
      const isStrong = hasAny(objects, "me", "more", "address") || (by.tag !== "contact" && isMail);
      return [{ negation, construction: { ...build(by, isStrong ? "STRONG" : "WEAK"), isLimitable: true } }];
    });
  }

  /** Whether the sentence says where to write instead: "Do not write there, write to me". */
  #isElsewhere(by: VerbPlace): boolean {
    const [, end] = this.#clauseOf(by);
    const later = [...this.#all("contact"), ...this.#all("send")].filter(({ start }) => start >= end);
    return !this.#has("more") && later.some((one) => this.#negationOf(one) === null);
  }

  /** Whether the person asks for a call instead: "Do not write to me, call me". */
  #isCallWanted(by: VerbPlace): boolean {
    return this.#all("call").some((one) => {
      const between = this.#reading.sentence.tokens.slice(Math.min(one.end, by.end), Math.max(one.start, by.start));
      const isApart = between.some(({ word }) => word === "");
      return isApart && this.#negationOf(one) === null && hasAny(this.#inReach(one), "me", "please");
    });
  }

  /** "Do not call me." This is not about email, but the person may mean all contact. */
  #notCalling(): Negated[] {
    if (this.#has("contrast", "contact", "mail")) return [];
    return this.#all("call").flatMap((by) => {
      const negation = this.#negationOf(by);
      return negation === null ? [] : [{ negation, construction: { ...build(by, "MAYBE"), isLimitable: true } }];
    });
  }

  /** No more emails. */
  #noMail(): Negated[] {
    return this.#all("not").flatMap((by) => {
      const mail = this.#firstMail(by);
      if (mail === null) return [];
      const clause = this.#clauseOf(by);
      if (this.#isIn(clause, "states", "receive") && !this.#isIn(clause, "want", "please")) return [];
      const strength = this.#isIn(clause, "more", "send") ? "STRONG" : "WEAK";
      return [
        {
          negation: by.start,
          construction: { ...build({ ...by, end: Math.max(by.end, mail + 1) }, strength), isLimitable: true },
        },
      ];
    });
  }

  /** I do not want to receive emails. I do not want to be on your list. */
  #notWanting(): Negated[] {
    const wishes = this.#all("want").flatMap((by) => {
      const negation = this.#negationOf(by);
      if (negation === null) return [];
      const objects = this.#around(by);
      const isReceiving = objects.has("receive") && (hasAny(objects, "things", "more", "me") || this.#isPassive());
      const isWhole =
        objects.has("mail") ||
        isReceiving ||
        (objects.has("stay") && objects.has("list")) ||
        (objects.has("contact") && objects.has("me"));
      return isWhole ? [{ negation, construction: { ...build(by, "STRONG"), isLimitable: true } }] : [];
    });
    const requests = this.#all("receive").flatMap((by) => {
      const [negation, clause] = [this.#negationOf(by), this.#clauseOf(by)];
      const isAsked = this.#has("how") && (this.#reading.sentence.isQuestion || this.#isIn(clause, "how"));
      const isWished = this.#isIn(clause, "please", "want") && !this.#isIn(clause, "states");
      const isEnsured = this.#all("ensure").some(({ start }) => start < by.start || this.#reading.lexicon.isUnspaced);
      if (negation === null || !(isAsked || isWished || isEnsured)) return [];
      const isWhole = hasAny(this.#around(by), "mail", "things", "more");
      return isWhole ? [{ negation, construction: { ...build(by, "STRONG"), isLimitable: true } }] : [];
    });
    return [...wishes, ...requests];
  }

  /** Do not keep me on your list. */
  #notKeeping(): Negated[] {
    return this.#all("keep").flatMap((by) => {
      const negation = this.#negationOf(by);
      if (negation === null) return [];
      const objects = this.#around(by);
      const isWriting = hasAny(objects, "contact", "send");
      const isWhole = isWriting || (objects.has("list") && hasAny(objects, "me", "address"));
      return isWhole ? [{ negation, construction: { ...build(by, "STRONG"), isLimitable: isWriting } }] : [];
    });
  }

  /** I object to the use of my data. */
  #forbidding(): Construction[] {
    return this.#all("forbid").map((by) => {
      const isWhole = hasAny(this.#around(by), "mail", "contact", "address", "send", "receive", "list");
      return { ...build(by, isWhole ? "STRONG" : "WEAK"), turnedBy: this.#negationOf(by) };
    });
  }

  /** There is no need to write to me again. */
  #needless(): Construction[] {
    return this.#all("noNeed").flatMap((by) => {
      const objects = this.#around(by);
      const isWriting = objects.has("contact") || (objects.has("send") && objects.has("mail"));
      return isWriting && objects.has("more") ? [{ ...build(by, "MAYBE"), isLimitable: true }] : [];
    });
  }

  /** Why do I get these emails? */
  #wondering(): Construction[] {
    const isGetting = this.#has("receive") && this.#has("mail", "things");
    const isSending = this.#has("contact", "send") && this.#has("me");
    const isWondering = this.#reading.sentence.isQuestion && (isGetting || isSending) && !this.#has("not");
    return isWondering ? this.#all("why").map((by) => build(by, "MAYBE")) : [];
  }

  /** If you write to me once more, I will report you. */
  #threatening(): Construction[] {
    if (!this.#has("contact", "send", "receive", "mail") || !this.#has("if", "more")) return [];
    return [...this.#all("legal"), ...this.#all("complaint")].map((by) => build(by, "MAYBE"));
  }

  /** The negation that belongs to a verb. The words between them may only be fillers or a verb such as "want". */
  #negationOf({ start, end, words }: VerbPlace): number | null {
    for (let at = start; at < end; at++) if (this.#tags[at]?.has("not") && !words.includes(at)) return at;
    const before = this.#negationFrom(start - 1, -1);
    return before === null && this.#reading.lexicon.negation === "both" ? this.#negationFrom(end, 1) : before;
  }

  #negationFrom(first: number, step: 1 | -1): number | null {
    for (let at = first; Math.abs(at - first) <= this.#near; at += step) {
      const tags = this.#tags[at];
      if (tags === undefined || this.#isBoundary(at)) return null;
      if (tags.has("not")) return at;
      if (!isPassable(tags)) return null;
    }
    return null;
  }

  /** Whether a word of this kind belongs to the verb, with only fillers between them. */
  #isObject(by: VerbPlace, tag: Tag): boolean {
    if (this.#enclitics(by).has(tag)) return true;
    for (let at = by.start; at < by.end; at++) if (this.#tags[at]?.has(tag)) return true;
    return [-1, 1].some((step) => {
      const first = step < 0 ? by.start - 1 : by.end;
      for (let at = first; Math.abs(at - first) <= this.#near; at += step) {
        const tags = this.#tags[at];
        if (tags === undefined || this.#isBoundary(at)) return false;
        if (tags.has(tag)) return true;
        if (!isPassable(tags)) return false;
      }
      return false;
    });
  }

  /** The kinds of all words around a verb, including words of other clauses. */
  #around(by: VerbPlace): ReadonlySet<Tag> {
    return this.#kinds(by, () => false);
  }

  /** The kinds of the words around a verb, up to the end of its clause or an addressee of another kind. */
  #inReach(by: VerbPlace): ReadonlySet<Tag> {
    return this.#kinds(
      by,
      (at) => this.#reading.sentence.tokens[at]?.word === "" || this.#tags[at]?.has("contrast") === true,
    );
  }

  #kinds(by: VerbPlace, isEnd: (at: number) => boolean): ReadonlySet<Tag> {
    const kinds = new Set<Tag>(this.#enclitics(by));
    for (let at = by.start; at < by.end; at++)
      if (!by.words.includes(at)) for (const tag of this.#tags[at] ?? []) kinds.add(tag);
    for (const [first, step] of [[by.start - 1, -1] as const, [by.end, 1] as const]) {
      for (
        let at = first;
        Math.abs(at - first) <= this.#near + 1 && at >= 0 && at < this.#tags.length && !isEnd(at);
        at += step
      ) {
        for (const tag of this.#tags[at] ?? []) kinds.add(tag);
      }
    }
    return kinds;
  }

  /** The kinds of words that are part of a verb's ending, such as "me" in "escribirme". */
  #enclitics({ words }: VerbPlace): ReadonlySet<Tag> {
    const { enclitics } = this.#reading.lexicon;
    const written = words.map((at) => this.#reading.sentence.tokens[at]?.word ?? "");
    const hasOne = enclitics.some((ending) =>
      written.some((word) => word.length > ending.length + 3 && word.endsWith(ending)),
    );
    return new Set<Tag>(hasOne ? ["me"] : []);
  }

  #isNear(by: VerbPlace, tag: Tag): boolean {
    return this.#around(by).has(tag);
  }

  /** Whether the sentence has a phrase such as "be contacted" or "hear from", which needs no object. */
  #isPassive(): boolean {
    return this.#all("receive").some(({ words }) => words.length > 1);
  }

  /** The place of the word for email that a negation denies: behind it; without spaces also before. Null if there is none. */
  #firstMail({ start, end }: VerbPlace): number | null {
    const behind = this.#firstFrom(end, 1);
    return behind === null && this.#reading.lexicon.isUnspaced ? this.#firstFrom(start - 1, -1) : behind;
  }

  #firstFrom(first: number, step: 1 | -1): number | null {
    for (let at = first; Math.abs(at - first) < this.#near; at += step) {
      const tags = this.#tags[at];
      if (tags === undefined || this.#isBoundary(at)) return null;
      if (tags.has("mail")) return at;
      if (!hasAny(tags, "more", "filler", "things", "me", "address", "list")) return null;
    }
    return null;
  }

  /** The clause around a verb: its first token, and the token after its end. */
  #clauseOf({ start }: VerbPlace): readonly [from: number, to: number] {
    let [from, to] = [start, start];
    while (from > 0 && !this.#isBoundary(from - 1)) from--;
    while (to < this.#tags.length && !this.#isBoundary(to)) to++;
    return [from, to];
  }

  #isIn([from, to]: readonly [number, number], ...tags: Tag[]): boolean {
    return this.#tags.slice(from, to).some((at) => hasAny(at, ...tags));
  }

  /** Whether a token ends a clause: a punctuation mark, or a word such as "and" that begins another clause. */
  #isBoundary(at: number): boolean {
    return this.#reading.sentence.tokens[at]?.word === "" || this.#tags[at]?.has("joints") === true;
  }

  /** Whether the clause of a verb contains hardly anything but the verb. */
  #isWholeClause(by: VerbPlace): boolean {
    const [from, to] = this.#clauseOf(by);
    return to - from - by.words.length <= HARDLY[this.#reading.lexicon.isUnspaced ? "unspaced" : "spaced"];
  }

  #isOurList(): boolean {
    return this.#all("list").every((one) => this.#isOurs(one));
  }

  #isOurs({ start }: VerbPlace): boolean {
    return this.#tags.slice(Math.max(0, start - 2), start).some((tags) => tags.has("ours"));
  }

  /** Whether the only word for email is the verb's subject and the writer's own: "our emails stop at the filter". */
  #isOurMail(by: VerbPlace): boolean {
    const mail = this.#all("mail");
    return (
      mail.length > 0 &&
      !this.#reading.lexicon.isUnspaced &&
      mail.every((one) => one.end <= by.start && this.#isOurs(one))
    );
  }

  /** Whether a verb such as "is" stands between the email and the verb: "your mail has been stopped". */
  #isToldOfMail({ start }: VerbPlace): boolean {
    const mail = this.#all("mail");
    const isState = this.#tags[start - 1]?.has("states") === true && !this.#has("please", "want");
    return isState && mail.length > 0 && mail.every(({ end }) => end < start);
  }

  /** Whether the word is a noun and the object of another verb, as in "I got no mail". */
  #isNoun(by: VerbPlace): boolean {
    const clause = this.#clauseOf(by);
    return (
      this.#tags[by.start]?.has("mail") === true &&
      this.#isIn(clause, "states", "receive") &&
      !this.#isIn(clause, "want", "please")
    );
  }

  #all(tag: Tag): VerbPlace[] {
    return this.#reading.found.filter((one) => one.tag === tag);
  }

  #has(...tags: Tag[]): boolean {
    return this.#reading.found.some(({ tag }) => tags.includes(tag));
  }
}

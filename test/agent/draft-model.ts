/**
 * What may be done in one thread. `mail` and `draft` name the newest one at the decision; each has another `text`.
 */
export type Verb =
  | { do: "arrive" }
  | { do: "prepare"; mail: number }
  | { do: "settle" }
  | { do: "approve"; draft: number }
  | { do: "edit"; draft: number; text: string }
  | { do: "reject"; draft: number }
  | { do: "answer"; text: string }
  | { do: "write" }
  | { do: "expire" }
  | { do: "record" }
  | { do: "set"; mode: Mode };

export type Mode = "APPROVE" | "AUTO" | "SUGGEST" | "OFF";

/** What can be seen of a thread from outside. */
export interface Seen {
  /** The drafts that wait for a person. There must never be two. */
  waiting: string[];
  /** The text of the reply box that the agent has filled. */
  suggested: string | null;
  approvals: string[];
  /** The replies of the ledger with their texts: each goes out once. */
  mails: string[];
  tasks: string[];
}

/**
 * The protocol as it is meant, in memory and one step after the other: what rules/agent 4.3 and 4.4 say, without a
 * database.
 */
export class DraftModel {
  mode: Mode;
  #mails = 0;
  #isAnswered = false;
  #tasks = new Map<number, string>();
  #suggested: string | null = null;
  #approvals: { text: string; status: string; byAgent: boolean }[] = [];
  #sent: { text: string; approval: number | null; isRecorded: boolean }[] = [];
  /** The email about which the agent's model thinks. */
  #held: number | null = null;

  constructor(mode: Mode) {
    this.mode = mode;
  }

  /** The thread after these steps; this one stays as it is. */
  after(verbs: readonly Verb[]): DraftModel {
    const other = this.#copy();
    for (const verb of verbs) other.play(verb);
    return other;
  }

  /** Everything that the model knows, visible or not. */
  whole(): string {
    const { mode } = this;
    return JSON.stringify([this.seen(), mode, this.#mails, this.#isAnswered, this.#held, this.#approvals, this.#sent]);
  }

  #copy(): DraftModel {
    const other = new DraftModel(this.mode);
    other.#mails = this.#mails;
    other.#isAnswered = this.#isAnswered;
    other.#tasks = new Map(this.#tasks);
    other.#suggested = this.#suggested;
    other.#approvals = this.#approvals.map((one) => ({ ...one }));
    other.#sent = this.#sent.map((one) => ({ ...one }));
    other.#held = this.#held;
    return other;
  }

  seen(): Seen {
    return {
      waiting: this.#approvals.filter(({ status }) => status === "PENDING").map(({ text }) => text),
      suggested: this.#suggested,
      approvals: this.#approvals.map(({ text, status }) => `${text}: ${status}`).sort(),
      mails: this.#sent.map(({ text, isRecorded }) => `${text}: ${isRecorded ? "SENT" : "RESERVED"}`).sort(),
      tasks: [...this.#tasks].map(([mail, status]) => `${mail}: ${status}`).sort(),
    };
  }

  get newestMail(): number {
    return this.#mails - 1;
  }

  get newestDraft(): number {
    return this.#approvals.length - 1;
  }

  play(verb: Verb): void {
    const named = "draft" in verb ? this.#approvals[verb.draft] : undefined;
    const draft = named?.status === "PENDING" ? named : null;
    switch (verb.do) {
      case "arrive":
        this.#mails += 1;
        this.#isAnswered = false;
        if (this.mode !== "OFF") this.#tasks.set(this.newestMail, "QUEUED");
        this.#endDraft();
        break;
      case "prepare":
        this.#prepare(verb.mail);
        break;
      case "settle":
        this.#settle();
        break;
      case "approve":
      case "edit":
        if (draft === null) break;
        if (verb.do === "edit") draft.text = verb.text;
        draft.status = "APPROVED";
        this.#suggested = null;
        this.#send(draft.text, verb.draft);
        break;
      case "reject":
        if (draft !== null) draft.status = "REJECTED";
        break;
      case "answer":
        this.#endDraft();
        this.#send(verb.text, null);
        break;
      case "write":
        this.#endDraft();
        this.#isAnswered = true;
        break;
      case "expire":
        this.#expire();
        break;
      case "record":
        this.#record();
        break;
      case "set":
        this.mode = verb.mode;
    }
  }

  #prepare(mail: number): void {
    if (this.#tasks.get(mail) !== "QUEUED") return;
    const why = this.#whyNot(mail);
    if (why === null) this.#held = mail;
    else this.#tasks.set(mail, why);
  }

  #whyNot(mail: number): string | null {
    if (this.mode === "OFF") return "SKIPPED DISABLED";
    if (mail !== this.newestMail) return "SKIPPED NEWER_MAIL";
    return this.#isAnswered ? "SKIPPED ANSWERED" : null;
  }

  #settle(): void {
    const mail = this.#held;
    this.#held = null;
    if (mail === null || this.#tasks.get(mail) !== "QUEUED") return;
    this.#tasks.set(mail, this.#whyNot(mail) ?? this.#propose(`Draft of mail ${mail}`));
  }

  #propose(text: string): string {
    if (this.mode === "SUGGEST") {
      this.#suggested = text;
      return "DONE DRAFT";
    }
    this.#endDraft();
    const isLong = this.#approvals.filter(({ byAgent }) => byAgent).length >= 3;
    const byAgent = this.mode === "AUTO" && !isLong;
    this.#approvals.push({ text, status: byAgent ? "APPROVED" : "PENDING", byAgent });
    if (byAgent) this.#send(text, this.newestDraft);
    if (this.mode === "APPROVE") return "DONE APPROVAL";
    return byAgent ? "DONE SENT" : "DONE APPROVAL_LONG_EXCHANGE";
  }

  #record(): void {
    const [mail] = this.#sent
      .filter(({ isRecorded }) => !isRecorded)
      .sort((one, other) => (one.text < other.text ? -1 : 1));
    if (mail === undefined) return;
    mail.isRecorded = true;
    // Our email is the last one then, whatever it answered
    this.#isAnswered = true;
    const approval = mail.approval === null ? undefined : this.#approvals[mail.approval];
    if (approval?.status === "APPROVED") approval.status = "SENT";
  }

  #send(text: string, approval: number | null): void {
    this.#isAnswered = true;
    this.#sent.push({ text, approval, isRecorded: false });
  }

  #endDraft(): void {
    this.#expire();
    this.#suggested = null;
  }

  #expire(): void {
    for (const approval of this.#approvals) if (approval.status === "PENDING") approval.status = "EXPIRED";
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { OPEN } from "../../domain/states.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { answerLate, answerWith, loseAnswer } from "../fakes/gmail/faults.ts";
import { badGateway, unavailable, userRateLimitExceeded } from "../fakes/gmail/refusals.ts";
import { refuse } from "../fakes/graph/faults.ts";
import { headerOf } from "../fakes/sent-mail.ts";
import { until } from "../fakes/wait.ts";
import { randomFrom } from "../system/killed-worker.ts";
import { ALL_TRANSPORTS, type KilledWorld, startKilledWorld, type Transport } from "./killed-world.ts";

/** `momentMs`: how long a kill waits for a request, since a kill while nothing is under way shows nothing. */
const SIZES = {
  small: { kills: 8, workers: 1, momentMs: 4_000, people: 14, drainMs: 300_000, seed: () => 20_261_130 },
  full: {
    kills: 100,
    workers: 2,
    momentMs: 30_000,
    people: 120,
    drainMs: 900_000,
    seed: () => Date.now() % 1_000_000_000,
  },
};
/** Longer than an email may take from its last look to the server, and than a request takes on a slow machine. */
const ON_ITS_WAY_MS = 1_500;
const MOST_TRANSPORT_MS = 3_000;
/** A transport by which nothing happened for so long has nothing to send. */
const MOVES_MS = 10_000;
/** How long a search for a copy may take. */
const ASK_MS = 45_000;
const KINDS: Record<Transport, string[]> = {
  SMTP_IMAP: ["reply", "unsub", "drop", "plain", "grey", "plain", "plain"],
  GMAIL_API: ["reply", "unsub", "plain", "plain", "plain", "plain", "plain"],
  GRAPH: ["reply", "unsub", "plain", "plain", "plain", "plain", "plain"],
};

/** A stop, and whom it concerns. No request that sends may come later than `at`, until `until`. */
interface Stop {
  why: string;
  transport: Transport;
  person: string | null;
  at: number;
  until: number;
}

/** Campaigns over SMTP, Gmail and Graph, while the worker is killed and requests fail. */
export function runSends(size: keyof typeof SIZES): void {
  const { kills, workers: workerCount, momentMs, people, drainMs, seed: draw } = SIZES[size];
  const seed = draw();
  const random = randomFrom(seed);
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T; // never empty
  let here: KilledWorld;
  beforeAll(async () => {
    here = await startKilledWorld(seed, workerCount);
  }, 180_000);
  let watch: NodeJS.Timeout | undefined;
  afterAll(async () => {
    clearInterval(watch);
    await here?.close();
  });

  /** One of the faults that the vendors' users report, for the next request of its kind. */
  function fail(): string {
    const { gmail, graph } = here;
    const effect = oneOf(["without effect", "after the effect"] as const);
    const after = random() < 0.5;
    const faults: Record<string, () => void> = {
      "gmail create lost": () => gmail.fault("drafts.create", loseAnswer(effect)),
      "gmail send lost": () => gmail.fault("drafts.send", loseAnswer(effect)),
      "gmail read back lost": () => gmail.fault("messages.get", loseAnswer(effect)),
      "gmail profile lost": () => gmail.fault("getProfile", loseAnswer(effect)),
      "gmail send 429": () =>
        gmail.fault(
          "drafts.send",
          answerWith(() => userRateLimitExceeded(429)),
        ),
      "gmail send 502": () => gmail.fault("drafts.send", answerWith(badGateway, effect)),
      "gmail create 503": () => gmail.fault("drafts.create", answerWith(unavailable, effect)),
      "gmail create slow": () => gmail.fault("drafts.create", answerLate(1_000 * random())),
      "gmail send slow": () => gmail.fault("drafts.send", answerLate(1_000 * random())),
      "graph create lost": () => graph.fault({ on: "create", answer: "lost", after }),
      "graph send lost": () => graph.fault({ on: "send", answer: "lost", after }),
      "graph read lost": () => graph.fault({ on: "get", answer: "lost" }),
      "graph delta lost": () => graph.fault({ on: "delta", answer: "lost" }),
      "graph send 429": () =>
        graph.fault({ on: "send", answer: refuse("ApplicationThrottled", { retryAfter: 1 }), after }),
      "graph send 5xx": () => graph.fault({ on: "send", answer: refuse("ErrorInternalServerError"), after }),
      "graph send 504": () => graph.fault({ on: "send", answer: refuse("UnknownError"), after }),
      "graph send 202 with Retry-After": () =>
        graph.fault({ on: "send", answer: { status: 202, headers: { "Retry-After": "1" } }, after: true }),
      "graph slow": () => {
        graph.settings.transportDelayMs = MOST_TRANSPORT_MS * random();
        graph.settings.sentCopyGapMs = 1_000 * random();
        graph.settings.latencyMs = 200 * random();
      },
    };
    const name = oneOf(Object.keys(faults));
    faults[name]?.();
    return name;
  }

  /** How much has happened so far, of the kinds of moments in which a worker is killed. */
  function progress(): number[] {
    const { gmail, graph, sandbox } = here;
    return [
      gmail.asked.filter(({ method }) => method === "drafts.create").length,
      gmail.asked.filter(({ method }) => method === "drafts.send").length,
      graph.asked.filter(({ route }) => route === "create").length,
      graph.asked.filter(({ route }) => route === "send").length,
      sandbox.smtp.attempts.length,
      sandbox.ledger.length,
    ];
  }

  /** When each of these last happened. */
  const movedAt: number[] = [];
  let seen: number[] = [];
  function noteProgress(): void {
    const now = progress();
    for (const [kind, count] of now.entries()) if (count !== seen[kind]) movedAt[kind] = Date.now();
    seen = now;
  }

  /** Waits for one of those moments, and then for a part of half a second, most often a small one. */
  async function comesAMoment(): Promise<void> {
    // The campaign of another transport may have ended
    const moving = movedAt.flatMap((at, kind) => (at > Date.now() - MOVES_MS ? [kind] : []));
    const kind = oneOf(moving.length > 0 ? moving : [...movedAt.keys()]);
    const before = progress()[kind] ?? 0;
    const mayBeMissed = true;
    const isThere = () => (progress()[kind] ?? 0) > before;
    await until(isThere, { deadlineMs: momentMs, what: "a request", longestMs: 5, mayBeMissed }).catch(() => {});
    await sleep(500 * random() ** 3);
  }

  test("whenever the worker is killed and requests fail, no email over SMTP, Gmail or Graph leaves twice, is lost or leaves after a stop", async () => {
    console.log(`seed ${seed}`);
    const { workspaceId, rest, workers, gmail, graph } = here;
    const { Recipient, Send } = scoped(workspaceId);
    const stops: Stop[] = [];
    const paths = new Map<Transport, string>();
    for (const transport of ALL_TRANSPORTS) {
      const name = transport.toLowerCase().replace("_", "");
      const kinds = KINDS[transport];
      const emails = Array.from(
        { length: people },
        (_, index) => `${kinds[index % kinds.length]}${index}@${name}.test`,
      );
      paths.set(transport, await here.launch(transport, emails));
    }
    const replied = new Set<string>();
    noteProgress();
    watch = setInterval(() => {
      noteProgress();
      const finding = Recipient.find({ status: "REPLIED" }, { select: { email: 1 } });
      // A look that the busy database does not answer is repeated by the next one
      void finding
        .catch(() => [])
        .then((rows) => {
          for (const { email } of rows) {
            if (replied.has(email)) continue;
            replied.add(email);
            const transport = ALL_TRANSPORTS.find((one) =>
              email.endsWith(`@${one.toLowerCase().replace("_", "")}.test`),
            );
            if (transport !== undefined)
              stops.push({ why: "reply", transport, person: email, at: Date.now(), until: Number.POSITIVE_INFINITY });
          }
        });
    }, 250);

    async function pauses(): Promise<void> {
      const paused = await Promise.all(
        [...paths].map(async ([transport, path]) => {
          expect((await rest.post(`${path}/control`, { action: "pause" })).status).toBe(200);
          return { why: "pause", transport, person: null, at: Date.now(), until: 0 };
        }),
      );
      await sleep(ON_ITS_WAY_MS + 2_000);
      stops.push(...paused.map((stop) => ({ ...stop, until: Date.now() })));
      for (const path of paths.values())
        expect((await rest.post(`${path}/control`, { action: "resume" })).status).toBe(200);
    }

    async function reconnects(transport: "GMAIL_API" | "GRAPH"): Promise<void> {
      here.withdraw(transport);
      const isLost = async () => (await here.mailboxOf(transport))?.status === "RECONNECT_REQUIRED";
      await until(isLost, { deadlineMs: 120_000, what: `the lost consent of ${transport}` });
      await here.connect(transport);
    }

    let inFlight = 0;
    for (let kill = 1; kill <= kills; kill++) {
      const faults = [fail(), fail(), fail()];
      if (kill === Math.ceil(kills / 4)) await pauses();
      if (kill === Math.ceil(kills / 3)) await reconnects("GMAIL_API");
      if (kill === Math.ceil((2 * kills) / 3)) await reconnects("GRAPH");
      await comesAMoment();
      inFlight += await Send.count({ state: "SENDING" });
      const worker = oneOf(workers);
      await worker.kill();
      if (size === "full" && kill % 10 === 0) console.log(kill, inFlight, progress(), faults);
      await here.timePasses();
      worker.start();
    }
    graph.settings.latencyMs = 0;
    graph.settings.sentCopyGapMs = 0;
    graph.clearFaults();
    gmail.clearFaults();

    // A copy in Sent proves that Graph has sent the email
    const isInSent = ({ draft, mailRef }: Send) =>
      draft?.transport === "GRAPH" && (leftByRef().get(mailRef ?? "") ?? 0) > 0;
    let askedAt = 0;
    const askedAgain = new Map<string, number>();
    /** As if an hour had passed since a mailbox was asked about them before its provider had sent them. */
    async function askAgain(): Promise<void> {
      await graph.release();
      // The copy is searched for a day, so the hours must not pass faster than a busy machine searches
      if (Date.now() - askedAt < ASK_MS) return;
      askedAt = Date.now();
      for (const { _id } of (await Send.find({ state: "UNKNOWN" })).filter(isInSent)) {
        const hours = (askedAgain.get(_id) ?? 0) + 1;
        askedAgain.set(_id, hours);
        const unknownAt = new Date(Date.now() - hours * HOUR_MS - MINUTE_MS);
        await Send.updateOne({ _id, state: "UNKNOWN" }, { $set: { unknownAt } });
      }
    }

    let passedAt = 0;
    const isOpen = async () => {
      if (Date.now() - passedAt > 5_000)
        await here
          .timePasses()
          .then(askAgain)
          .then(() => (passedAt = Date.now()));
      if ((await Send.count({ state: "SENDING" })) > 0) return true;
      const unknown = await Send.find({ state: "UNKNOWN" });
      if (unknown.some((send) => send.draft?.transport === "GMAIL_API" || isInSent(send))) return true;
      const waiting = trusted({ $nin: unknown.map(({ recipientId }) => recipientId) });
      return (await Recipient.count({ status: trusted({ $in: [...OPEN] }), _id: waiting })) > 0;
    };
    const isOver = async () => !(await isOpen());
    await until(isOver, { deadlineMs: drainMs, what: "every recipient to come to an end" }).catch(async (error) => {
      const unknown = await Send.find({ state: "UNKNOWN" });
      const settled = trusted({ $nin: unknown.map(({ recipientId }) => recipientId) });
      const open = await Recipient.find({ status: trusted({ $in: [...OPEN] }), _id: settled }, { limit: 20 });
      console.log(
        open.map(({ email, status, pauseReason, nextSendAt }) => ({ email, status, pauseReason, nextSendAt })),
      );
      const unsent = { recipientId: trusted({ $in: open.map(({ _id }) => _id) }), state: trusted({ $ne: "SENT" }) };
      console.log(await Send.find(unsent), await Send.find({ state: "SENDING" }));
      console.log(unknown.filter(isInSent));
      console.log(
        unknown.filter(({ draft }) => draft?.transport === "GMAIL_API"),
        await here.mailboxOf("GMAIL_API"),
        await here.mailboxOf("GRAPH"),
      );
      throw error;
    });
    for (const [person, at] of here.unsubscribed) {
      const transport = person.endsWith("@graph.test") ? "GRAPH" : "GMAIL_API";
      stops.push({ why: "unsubscribe", transport, person, at, until: Number.POSITIVE_INFINITY });
    }
    const sends = await Send.find({ kind: "CAMPAIGN" });
    // Also the mailboxes' own checks, which are no campaign emails
    const known = new Set((await Send.find({}, { select: { mailRef: 1 } })).map(({ mailRef }) => mailRef));
    expect({ ...faultsIn(sends, known), afterStops: afterStops(stops) }).toEqual({
      twice: [],
      unsentButSent: [],
      sentButNotRecorded: [],
      unrecorded: [],
      afterStops: [],
    });
    const lost = [];
    for (const { _id, email, status, stopReason } of await Recipient.find({})) {
      const own = sends.filter(({ recipientId }) => recipientId === _id);
      const count = own.filter(({ state }) => state === "SENT").length;
      const isKept =
        own.some(({ state }) => state === "UNKNOWN") ||
        (status === "COMPLETED" && count === 2) ||
        ((status === "REPLIED" || status === "UNSUBSCRIBED") && count >= 1);
      if (!isKept) lost.push({ email, status, stopReason, states: own.map(({ state }) => state) });
    }
    expect(lost).toEqual([]);
    // Over SMTP and Graph a draft or a lost answer proves nothing
    const unknown = sends.filter(({ state }) => state === "UNKNOWN");
    expect(unknown.filter(({ to }) => to.endsWith("@gmailapi.test"))).toEqual([]);
    // Also that of a mailbox's own check
    const undecided = await Send.find({ state: "UNKNOWN" });
    const kept = new Set(undecided.flatMap(({ draft }) => (draft?.transport === "GRAPH" ? draft.draftId : [])));
    const mailbox = graph.mailbox("gina@a.test");
    const left = () => mailbox.in(mailbox.idOf("drafts")).filter(({ immutableId }) => !kept.has(immutableId));
    const { drafts } = gmail.mailbox("ann@a.test");
    await until(() => left().length === 0 && drafts.size === 0, {
      deadlineMs: 60_000,
      what: "the drafts that no one sends to be deleted",
    }).catch((error) => {
      console.log(
        left().map(({ raw }) => headerOf(raw, "X-Mail-Ref")),
        [...drafts.keys()],
      );
      throw error;
    });
    console.log(`${kills} kills, ${inFlight} sends in flight, ${sends.length} emails, ${unknown.length} unknown`);
    expect(inFlight).toBeGreaterThan(0);
  }, 2_700_000);

  /** How many emails left for each send, over all transports. */
  function leftByRef(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { mailRef = "" } of ALL_TRANSPORTS.flatMap((transport) => here.sent(transport)))
      counts.set(mailRef, (counts.get(mailRef) ?? 0) + 1);
    return counts;
  }

  function faultsIn(sends: Send[], known: ReadonlySet<string | null>) {
    const counts = leftByRef();
    const brief = ({ to, state, generation, failure, mailRef }: Send) => ({
      to,
      state,
      generation,
      failure,
      left: counts.get(mailRef ?? "") ?? 0,
    });
    const count = ({ mailRef }: Send) => counts.get(mailRef ?? "") ?? 0;
    return {
      twice: sends.filter((send) => count(send) > 1).map(brief),
      unsentButSent: sends.filter((send) => !["SENT", "UNKNOWN"].includes(send.state) && count(send) > 0).map(brief),
      sentButNotRecorded: sends.filter((send) => send.state === "SENT" && count(send) === 0).map(brief),
      unrecorded: [...counts.keys()].filter((ref) => !known.has(ref)),
    };
  }

  /** Emails whose request came after a stop. */
  function afterStops(stops: Stop[]) {
    return stops.flatMap(({ why, transport, person, at, until }) =>
      here
        .sent(transport)
        .filter(({ to }) => person === null || to.includes(person))
        .map((mail) => ({ why, to: mail.to, late: askedAt(transport, mail) - at, at: askedAt(transport, mail) }))
        .filter((mail) => mail.late > ON_ITS_WAY_MS && mail.at < until),
    );
  }

  /** Graph sends an email some time after the request. */
  function askedAt(transport: Transport, mail: { session: string; at: number }): number {
    if (transport !== "GRAPH") return mail.at;
    const asked = here.graph.asked.find(
      ({ route, path }) => route === "send" && decodeURIComponent(path).includes(mail.session),
    );
    return asked?.at ?? mail.at;
  }
}

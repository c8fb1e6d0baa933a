import { freePort } from "../../embedded/ports.ts";
import { until } from "../fakes/wait.ts";
import { answers } from "./ground.ts";
import { type Rspamd, startRspamd } from "./rspamd.ts";

/** A spam filter in front of mailboxes: an rspamd that learns from what their owners move out of Junk and into it. */
export interface Filter extends Rspamd {
  /** Where Postfix asks it about each email. */
  milter: number;
  /** Teaches it an email. An email that it judges that way anyway teaches it nothing. */
  learn(as: "spam" | "ham", raw: string): Promise<void>;
  /** How many emails it was taught. */
  learned(): Promise<number>;
}

/** How many emails of each kind it needs before it judges by what it was taught. */
const FEWEST_LEARNED = 5;

/** What it has learned is kept in files of its own (SQLite), so that it needs no other server. */
const LEARNING = `classifier "bayes" {
  tokenizer { name = "osb"; }
  backend = "sqlite3";
  cache { backend = "sqlite3"; path = "\${DBDIR}/learned.sqlite"; }
  min_tokens = 11;
  min_learns = ${FEWEST_LEARNED};
  statfile { symbol = "BAYES_HAM"; path = "\${DBDIR}/ham.sqlite"; spam = false; }
  statfile { symbol = "BAYES_SPAM"; path = "\${DBDIR}/spam.sqlite"; spam = true; }
  learn_condition = 'return require("lua_bayes_learn").can_learn';
}`;

/**
 * Only what it was taught decides: it marks an email when it is nearly sure, and never refuses one or makes it wait.
 */
const ACTIONS = "reject = null; greylist = null; add_header = 6;";
const WEIGHT = 'symbols = { "BAYES_SPAM" { weight = 8; } }';

export async function startFilter(dns: string): Promise<Filter> {
  const milter = await freePort();
  const proxy = `bind_socket = "127.0.0.1:${milter}"; milter = yes; count = 1; upstream "local" { default = yes; self_scan = yes; }`;
  const rspamd = await startRspamd(dns, {
    "override.d/statistic.conf": LEARNING,
    "local.d/actions.conf": ACTIONS,
    "local.d/statistics_group.conf": WEIGHT,
    "local.d/worker-proxy.inc": proxy,
  });
  await until(() => answers(milter), { deadlineMs: 20_000, what: "the filter to take mail" });
  const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${rspamd.control}${path}`, init);
  return {
    ...rspamd,
    milter,
    async learn(as, raw) {
      const answer = await ask(as === "spam" ? "/learnspam" : "/learnham", { method: "POST", body: raw });
      if (!answer.ok) throw new Error(`rspamd learns nothing: ${answer.status} ${await answer.text()}`);
    },
    async learned() {
      const { total_learns: learned }: { total_learns: number } = JSON.parse(await (await ask("/stat")).text());
      return learned;
    },
  };
}

import { freePort } from "../../embedded/ports.ts";
import { startDns } from "../fakes/dns.ts";
import { type Dovecot, startDovecot } from "./dovecot.ts";
import { type Filter, startFilter } from "./filter.ts";
import { type Ground, makeGround } from "./ground.ts";
import { type Postfix, startPostfix } from "./postfix.ts";

/**
 * A typical mail provider: Postfix takes mail, a filter judges it, Dovecot files it, and its users teach the filter.
 */
export interface Provider {
  dovecot: Dovecot;
  postfix: Postfix;
  filter: Filter;
  /** Where its users send. */
  submission: number;
  stop(): Promise<void>;
}

export async function startProvider(
  keys: Pick<Ground, "certificate" | "password">,
  { users, copied }: { users: readonly string[]; copied: readonly string[] },
): Promise<Provider> {
  const ground = await makeGround(keys);
  const dns = await startDns(
    Object.fromEntries(users.map((user) => [user.split("@")[1] ?? "", { MX: ["10 localhost"], TXT: ["v=spf1 -all"] }])),
  );
  const filter = await startFilter(dns.server);
  const dovecot = await startDovecot({ ...ground, port: await freePort(), filter });
  const [submission, mx] = [await freePort(), await freePort()];
  const ports = { submission, remote: await freePort(), dead: await freePort() };
  const postfix = await startPostfix(ground, ports, users, { mx, milter: filter.milter, copied });
  return {
    dovecot,
    postfix,
    filter,
    submission,
    async stop() {
      await postfix.stop();
      await dovecot.stop();
      await filter.stop();
      await dns.close();
      await ground.remove();
    },
  };
}

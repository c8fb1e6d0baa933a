import { afterAll, beforeAll } from "@jest/globals";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { mailboxIn } from "../inbox/mailbox-in.ts";
import { realWorker } from "../support/real-worker.ts";
import { type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, startChromium } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";
import { conversationIn, type Written } from "./inbox-parts.ts";

const MAILBOXES = ["ann@a.test", "bob@a.test", "cid@a.test", "dan@a.test"];

export let world: World;

export let sandbox: Sandbox;

export let chromium: Chromium;

interface InboxOf extends SignedIn {
  email: string;
  mailboxId: string;
  write(from: string, more?: Partial<Written>): Promise<{ threadId: string; messageId: string }>;
}

/** A person of a new workspace with a mailbox of the sandbox, which no other test uses. */
export async function inboxOf(address: string): Promise<InboxOf> {
  const person = await signedIn(world);
  const mailboxId = await mailboxIn(world, person.workspaceId, address, sandbox);
  return {
    ...person,
    mailboxId,
    write: (from, more) => conversationIn(person.workspaceId, mailboxId, { from, ...more }),
  };
}

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    const certificate = await makeCertificate();
    sandbox = await startSandbox({ mailboxes: MAILBOXES, certificate, reactionMs: { min: 20, max: 60 } });
    world = await startWorld({
      worker: realWorker({ extraCa: certificate.cert }),
      settings: { egressAllow: "localhost:*,127.0.0.1:*" },
      console: await builtConsole(),
    });
    chromium = await startChromium();
  }, 180_000);
  afterAll(async () => {
    await chromium?.close();
    await world?.close();
    await sandbox?.close();
  }, 30_000);
}

import { afterAll, beforeAll } from "@jest/globals";
import { type SendingWorld, startSendingWorld } from "../sending/sending-world.ts";

/** Delays counted in days that pass while a test waits. */
export const SOON = 1.5 / 86_400;

export let sending: SendingWorld;

export const subjectsTo = (email: string) => sending.mailsTo(email).map(({ subject }) => subject);

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    sending = await startSendingWorld();
  }, 90_000);
  afterAll(() => sending.close(), 30_000);
}

import { afterAll, beforeAll } from "@jest/globals";
import { type SendingWorld, startSendingWorld } from "../sending/sending-world.ts";

/** Delays counted in days that pass while a test waits. */
export const SOON = 1.5 / 86_400;

export let sending: SendingWorld;

export const subjectsTo = (email: string) => sending.mailsTo(email).map(({ subject }) => subject);

/** Registers what both files of these tests do before and after them. */
export function useSetup(): void {
  beforeAll(async () => {
    sending = await startSendingWorld();
  }, 90_000);
  afterAll(() => sending.close(), 30_000);
}

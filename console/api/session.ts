import { signalOf } from "./signal.ts";

/** Whether the service no longer knows who is signed in. The page stays as it is meanwhile, with whatever was typed. */
export const sessionEnded = signalOf(false);

export function noteSessionEnded(): void {
  sessionEnded.set(true);
}

/** Somebody waits for the password; told whether it was given. */
export const passwordAsked = signalOf<((wasGiven: boolean) => void) | null>(null);

/** Asks for the password, whatever page is open. Resolves with whether it was given. */
export function askPassword(): Promise<boolean> {
  passwordAsked.get()?.(false);
  return new Promise((resolve) => {
    passwordAsked.set((wasGiven) => {
      passwordAsked.set(null);
      resolve(wasGiven);
    });
  });
}

import { prefix } from "./prefix.ts";
import { signalOf } from "./signal.ts";

/** Whether the session has ended. The page then stays open with everything that was typed. */
export const sessionEnded = signalOf(false);
let wasSignedIn = false;

export function noteSignedIn(): void {
  wasSignedIn = true;
}

/**
 * A page that has shown data stays open and says that the session has ended. Any other page redirects to the sign-in
 * page.
 */
export function noteSessionEnded(): void {
  if (wasSignedIn) sessionEnded.set(true);
  else location.replace(signInAddress());
}

/**
 * The URL of the sign-in page, which returns to this page after sign-in. The server accepts only a path of its own as
 * the return path.
 */
export function signInAddress(): string {
  const here = `${location.pathname.slice(prefix.length)}${location.search}`;
  return `${prefix}/login?returnTo=${encodeURIComponent(here)}`;
}

/**
 * Set while an action waits for the password. Call it with true if the person entered the password, otherwise false.
 */
export const passwordAsked = signalOf<((wasGiven: boolean) => void) | null>(null);

/** Asks for the password on the current page. Resolves with true if the person entered it. */
export function askPassword(): Promise<boolean> {
  passwordAsked.get()?.(false);
  return new Promise((resolve) => {
    passwordAsked.set((wasGiven) => {
      passwordAsked.set(null);
      resolve(wasGiven);
    });
  });
}

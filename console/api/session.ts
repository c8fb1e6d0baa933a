import { prefix } from "./prefix.ts";
import { signalOf } from "./signal.ts";

/** Whether the service no longer knows who is signed in. The page stays as it is meanwhile, with whatever was typed. */
export const sessionEnded = signalOf(false);
let wasSignedIn = false;

export function noteSignedIn(): void {
  wasSignedIn = true;
}

/**
 * A page that has shown something stays and says so; one that has not leads to sign in, and from there back to itself.
 */
export function noteSessionEnded(): void {
  if (wasSignedIn) sessionEnded.set(true);
  else location.replace(signInAddress());
}

/** Where one signs in and is then led back to this page. The service takes a path of its own alone. */
export function signInAddress(): string {
  const here = `${location.pathname.slice(prefix.length)}${location.search}`;
  return `${prefix}/login?returnTo=${encodeURIComponent(here)}`;
}

/** Set while an action waits for the password. Called with whether it was given. */
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

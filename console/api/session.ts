import { prefix } from "./prefix.ts";
import { signalOf } from "./signal.ts";

/** Whether the session has ended. The page stays as it is meanwhile, with everything that was typed. */
export const sessionEnded = signalOf(false);
let wasSignedIn = false;

export function noteSignedIn(): void {
  wasSignedIn = true;
}

/** A page that has shown data stays and says so; any other page leads to the sign-in page, which leads back to it. */
export function noteSessionEnded(): void {
  if (wasSignedIn) sessionEnded.set(true);
  else location.replace(signInAddress());
}

/** The sign-in page, which leads back to this page. The service accepts only a path of its own. */
export function signInAddress(): string {
  const here = `${location.pathname.slice(prefix.length)}${location.search}`;
  return `${prefix}/login?returnTo=${encodeURIComponent(here)}`;
}

/** Set while an action waits for the password. Its argument says whether the person entered it. */
export const passwordAsked = signalOf<((wasGiven: boolean) => void) | null>(null);

/** Asks for the password on whichever page is open. Resolves with whether the person entered it. */
export function askPassword(): Promise<boolean> {
  passwordAsked.get()?.(false);
  return new Promise((resolve) => {
    passwordAsked.set((wasGiven) => {
      passwordAsked.set(null);
      resolve(wasGiven);
    });
  });
}
